// SPDX-License-Identifier: MIT
// Quick checks of decode attention in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kAttentionDecode{
    .entry = "attention_decode", .seed = 4, .relative_tolerance = 3e-5};

}  // namespace

TEST_CASE("attention_decode is right for the smallest sizes", "[attention_decode]") {
  support::require_right(kAttentionDecode, {0, 1, 2, 3});
}

TEST_CASE("attention_decode is right for every shape", "[attention_decode]") {
  support::require_right(kAttentionDecode, {4, 5, 6, 7, 8, 9, 10, 11, 12, 250});
}

TEST_CASE("attention_decode carries NaN and infinities", "[attention_decode]") {
  support::require_right(kAttentionDecode, {101}, true);
}
