// SPDX-License-Identifier: MIT
// Quick checks of the dot product in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kDot{.entry = "dot", .seed = 1, .relative_tolerance = 1e-5};

}  // namespace

TEST_CASE("dot of nothing", "[dot]") {
  support::require_right(kDot, {0});
}

TEST_CASE("dot is right for small sizes and around a block", "[dot]") {
  support::require_right(kDot, {1, 2, 31, 32, 33, 255, 256, 257, 4099});
}

TEST_CASE("dot is right for a size that is no multiple of anything", "[dot]") {
  support::require_right(kDot, {1048583});
}

TEST_CASE("dot carries NaN and infinities", "[dot]") {
  support::require_right(kDot, {1009}, true);
}
