// SPDX-License-Identifier: MIT
// Quick checks of GEMV in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kGemv{.entry = "gemv", .seed = 4, .relative_tolerance = 1e-5};

}  // namespace

TEST_CASE("gemv is right for the smallest sizes", "[gemv]") {
  support::require_right(kGemv, {0, 1, 2, 31, 32, 33});
}

TEST_CASE("gemv is right for sizes around a turn of a block", "[gemv]") {
  support::require_right(kGemv, {64, 127, 128, 129, 257});
}

TEST_CASE("gemv carries NaN and infinities", "[gemv]") {
  support::require_right(kGemv, {101}, true);
}
