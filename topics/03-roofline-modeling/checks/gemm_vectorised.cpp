// SPDX-License-Identifier: MIT
// Quick checks of the vectorised matrix product in the student's own ctest: no points, seconds to
// run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kGemmVectorised{
    .entry = "gemm_vectorised", .seed = 3, .relative_tolerance = 1e-6};

}  // namespace

TEST_CASE("the vectorised matrix product of nothing", "[gemm_vectorised]") {
  support::require_right(kGemmVectorised, {0});
}

TEST_CASE("the vectorised matrix product is right for small sizes and around a tile",
          "[gemm_vectorised]") {
  support::require_right(kGemmVectorised, {1, 2, 3, 7, 31, 32, 33, 64});
}

TEST_CASE("the vectorised matrix product is right for a size that is no multiple of anything",
          "[gemm_vectorised]") {
  support::require_right(kGemmVectorised, {129});
}

TEST_CASE("the vectorised matrix product carries NaN and infinities", "[gemm_vectorised]") {
  support::require_right(kGemmVectorised, {37}, true);
}
