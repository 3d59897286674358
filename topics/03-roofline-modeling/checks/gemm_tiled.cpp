// SPDX-License-Identifier: MIT
// Quick checks of the tiled matrix product in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kGemmTiled{
    .entry = "gemm_tiled", .seed = 3, .relative_tolerance = 1e-6};

}  // namespace

TEST_CASE("the tiled matrix product of nothing", "[gemm_tiled]") {
  support::require_right(kGemmTiled, {0});
}

TEST_CASE("the tiled matrix product is right for small sizes and around a tile", "[gemm_tiled]") {
  support::require_right(kGemmTiled, {1, 2, 3, 7, 31, 32, 33, 64});
}

TEST_CASE("the tiled matrix product is right for a size that is no multiple of anything",
          "[gemm_tiled]") {
  support::require_right(kGemmTiled, {61});
}

TEST_CASE("the tiled matrix product carries NaN and infinities", "[gemm_tiled]") {
  support::require_right(kGemmTiled, {37}, true);
}
