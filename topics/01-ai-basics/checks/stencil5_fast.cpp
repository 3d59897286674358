// SPDX-License-Identifier: MIT
// Quick checks of the fast 5-point stencil in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kStencil5Fast{
    .entry = "stencil5_fast", .seed = 1, .relative_tolerance = 2e-6};

}  // namespace

TEST_CASE("stencil5_fast of nothing", "[stencil5_fast]") {
  support::require_right(kStencil5Fast, {0});
}

TEST_CASE("stencil5_fast is right for small sizes and around a block", "[stencil5_fast]") {
  support::require_right(kStencil5Fast, {1, 2, 3, 4, 5, 6, 7, 8, 31, 32, 33, 64});
}

TEST_CASE("stencil5_fast is right for a size that is no multiple of anything", "[stencil5_fast]") {
  support::require_right(kStencil5Fast, {509});
}

TEST_CASE("stencil5_fast carries NaN and infinities", "[stencil5_fast]") {
  support::require_right(kStencil5Fast, {97}, true);
}
