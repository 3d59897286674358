// SPDX-License-Identifier: MIT
// Quick checks of the 5-point stencil in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kStencil5{.entry = "stencil5", .seed = 1, .relative_tolerance = 2e-6};

}  // namespace

TEST_CASE("stencil5 of nothing", "[stencil5]") {
  support::require_right(kStencil5, {0});
}

TEST_CASE("stencil5 is right for small sizes and around a block", "[stencil5]") {
  support::require_right(kStencil5, {1, 2, 3, 4, 31, 32, 33});
}

TEST_CASE("stencil5 is right for a size that is no multiple of anything", "[stencil5]") {
  support::require_right(kStencil5, {509});
}

TEST_CASE("stencil5 carries NaN and infinities", "[stencil5]") {
  support::require_right(kStencil5, {97}, true);
}
