// SPDX-License-Identifier: MIT
// Quick checks of reading a paged cache in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kKvStream{
    .entry = "kv_stream", .seed = 4, .relative_tolerance = 1e-5};

}  // namespace

TEST_CASE("kv_stream is right for the smallest sizes", "[kv_stream]") {
  support::require_right(kKvStream, {0, 1, 2, 3});
}

TEST_CASE("kv_stream is right for pages of 1, of 16 and of all tokens", "[kv_stream]") {
  support::require_right(kKvStream, {15, 16, 17, 256, 257, 258});
}

TEST_CASE("kv_stream carries NaN and infinities", "[kv_stream]") {
  support::require_right(kKvStream, {101}, true);
}
