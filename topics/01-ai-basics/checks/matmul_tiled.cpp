// SPDX-License-Identifier: MIT
// Quick checks of the tiled matrix product in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kMatmulTiled{
    .entry = "matmul_tiled", .seed = 1, .relative_tolerance = 2e-6};

}  // namespace

TEST_CASE("matmul_tiled of nothing", "[matmul_tiled]") {
  support::require_right(kMatmulTiled, {0});
}

TEST_CASE("matmul_tiled is right for small sizes and around a block", "[matmul_tiled]") {
  support::require_right(kMatmulTiled, {1, 2, 3, 15, 16, 17, 33});
}

TEST_CASE("matmul_tiled is right for a size that is no multiple of anything", "[matmul_tiled]") {
  support::require_right(kMatmulTiled, {61});
}

TEST_CASE("matmul_tiled carries NaN and infinities", "[matmul_tiled]") {
  support::require_right(kMatmulTiled, {37}, true);
}
