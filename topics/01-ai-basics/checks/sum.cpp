// SPDX-License-Identifier: MIT
// Quick checks of the sum in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kSum{.entry = "sum", .seed = 1, .relative_tolerance = 1e-5};

}  // namespace

TEST_CASE("sum of nothing", "[sum]") {
  support::require_right(kSum, {0});
}

TEST_CASE("sum is right for small sizes and around a block", "[sum]") {
  support::require_right(kSum, {1, 2, 3, 4, 5, 31, 32, 33, 255, 256, 257, 4099});
}

TEST_CASE("sum is right for a size that is no multiple of anything", "[sum]") {
  support::require_right(kSum, {1048583});
}

TEST_CASE("sum carries NaN and infinities", "[sum]") {
  support::require_right(kSum, {1009}, true);
}
