// SPDX-License-Identifier: MIT
// Quick checks of the tiled 5-point stencil in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kStencil5Tiled{
    .entry = "stencil5_tiled", .seed = 1, .relative_tolerance = 2e-6};

}  // namespace

TEST_CASE("stencil5_tiled of nothing", "[stencil5_tiled]") {
  support::require_right(kStencil5Tiled, {0});
}

TEST_CASE("stencil5_tiled is right for small sizes and around a block", "[stencil5_tiled]") {
  support::require_right(kStencil5Tiled, {1, 2, 3, 4, 15, 16, 17, 31, 32, 33});
}

TEST_CASE("stencil5_tiled is right for a size that is no multiple of anything",
          "[stencil5_tiled]") {
  support::require_right(kStencil5Tiled, {211});
}

TEST_CASE("stencil5_tiled carries NaN and infinities", "[stencil5_tiled]") {
  support::require_right(kStencil5Tiled, {97}, true);
}
