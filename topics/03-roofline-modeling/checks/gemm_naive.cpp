// SPDX-License-Identifier: MIT
// Quick checks of the naive matrix product in the student's own ctest: no points, seconds to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kGemmNaive{
    .entry = "gemm_naive", .seed = 3, .relative_tolerance = 1e-6};

}  // namespace

TEST_CASE("the naive matrix product of nothing", "[gemm_naive]") {
  support::require_right(kGemmNaive, {0});
}

TEST_CASE("the naive matrix product is right for small sizes and around a tile", "[gemm_naive]") {
  support::require_right(kGemmNaive, {1, 2, 3, 7, 31, 32, 33, 64});
}

TEST_CASE("the naive matrix product is right for a size that is no multiple of anything",
          "[gemm_naive]") {
  support::require_right(kGemmNaive, {61});
}

TEST_CASE("the naive matrix product carries NaN and infinities", "[gemm_naive]") {
  support::require_right(kGemmNaive, {37}, true);
}
