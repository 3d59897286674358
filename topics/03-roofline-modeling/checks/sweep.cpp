// SPDX-License-Identifier: MIT
// Quick checks of the sweep in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

// Subnormal products round to multiples of 1.4e-45.
constexpr support::EntryCheck kSweep{
    .entry = "sweep", .seed = 3, .relative_tolerance = 1e-6, .absolute_tolerance = 1e-44};

}  // namespace

TEST_CASE("the sweep of nothing does nothing", "[sweep]") {
  support::require_right(kSweep, {0});
}

TEST_CASE("the sweep is right around packs and blocks", "[sweep]") {
  support::require_right(kSweep, {1, 3, 4, 5, 7, 8, 9, 31, 33, 255, 257, 1023, 1025, 4099});
}

TEST_CASE("the sweep carries NaN and infinities", "[sweep]") {
  support::require_right(kSweep, {1009}, true);
}
