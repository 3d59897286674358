// SPDX-License-Identifier: MIT
// Quick checks of decode steps as a graph in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kDecodeGraph{
    .entry = "decode_graph", .seed = 4, .relative_tolerance = 2e-4};

}  // namespace

TEST_CASE("decode_graph is right for the smallest sizes", "[decode_graph]") {
  support::require_right(kDecodeGraph, {64});
}

TEST_CASE("decode_graph is right for more steps and a larger model", "[decode_graph]") {
  support::require_right(kDecodeGraph, {65, 128, 192});
}
