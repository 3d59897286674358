// SPDX-License-Identifier: MIT
// Quick checks of split decode attention in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kAttentionSplit{
    .entry = "attention_split", .seed = 4, .relative_tolerance = 3e-5};

}  // namespace

TEST_CASE("attention_split is right for the smallest sizes", "[attention_split]") {
  support::require_right(kAttentionSplit, {0, 1, 2, 3});
}

TEST_CASE("attention_split is right for every shape", "[attention_split]") {
  support::require_right(kAttentionSplit, {4, 5, 6, 7, 8, 9, 10, 11, 12, 250});
}

TEST_CASE("attention_split carries NaN and infinities", "[attention_split]") {
  support::require_right(kAttentionSplit, {101}, true);
}
