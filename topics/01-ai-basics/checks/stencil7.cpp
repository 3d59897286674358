// SPDX-License-Identifier: MIT
// Quick checks of the 7-point stencil in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kStencil7{.entry = "stencil7", .seed = 1, .relative_tolerance = 2e-6};

}  // namespace

TEST_CASE("stencil7 of nothing", "[stencil7]") {
  support::require_right(kStencil7, {0});
}

TEST_CASE("stencil7 is right for small sizes and around a block", "[stencil7]") {
  support::require_right(kStencil7, {1, 2, 3, 4, 15, 16, 17});
}

TEST_CASE("stencil7 is right for a size that is no multiple of anything", "[stencil7]") {
  support::require_right(kStencil7, {61});
}

TEST_CASE("stencil7 carries NaN and infinities", "[stencil7]") {
  support::require_right(kStencil7, {23}, true);
}
