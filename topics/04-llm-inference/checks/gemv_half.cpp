// SPDX-License-Identifier: MIT
// Quick checks of GEMV in FP16 in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kGemvHalf{
    .entry = "gemv_half", .seed = 4, .relative_tolerance = 1e-5};

}  // namespace

TEST_CASE("gemv_half is right for the smallest sizes", "[gemv_half]") {
  support::require_right(kGemvHalf, {0, 1, 2, 31, 32, 33});
}

TEST_CASE("gemv_half is right for sizes around a turn of a block", "[gemv_half]") {
  support::require_right(kGemvHalf, {64, 127, 128, 129, 257});
}

TEST_CASE("gemv_half carries NaN and infinities", "[gemv_half]") {
  support::require_right(kGemvHalf, {101}, true);
}
