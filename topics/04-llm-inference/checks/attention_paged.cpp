// SPDX-License-Identifier: MIT
// Quick checks of decode attention over pages in the student's own ctest: no points, seconds to
// run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kAttentionPaged{
    .entry = "attention_paged", .seed = 4, .relative_tolerance = 3e-5};

}  // namespace

TEST_CASE("attention_paged is right for the smallest sizes", "[attention_paged]") {
  support::require_right(kAttentionPaged, {0, 1, 2, 3});
}

TEST_CASE("attention_paged is right for every shape", "[attention_paged]") {
  support::require_right(kAttentionPaged, {4, 5, 6, 7, 8, 9, 10, 11, 12, 250});
}

TEST_CASE("attention_paged carries NaN and infinities", "[attention_paged]") {
  support::require_right(kAttentionPaged, {101}, true);
}
