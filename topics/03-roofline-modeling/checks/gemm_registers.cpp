// SPDX-License-Identifier: MIT
// Quick checks of the register-tiled matrix product in the student's own ctest: no points, seconds
// to run.
#include "support/catch.hpp"
#include "support/entry.hpp"

namespace {

constexpr support::EntryCheck kGemmRegisters{
    .entry = "gemm_registers", .seed = 3, .relative_tolerance = 1e-6};

}  // namespace

TEST_CASE("the register-tiled matrix product of nothing", "[gemm_registers]") {
  support::require_right(kGemmRegisters, {0});
}

TEST_CASE("the register-tiled matrix product is right for small sizes and around a tile",
          "[gemm_registers]") {
  support::require_right(kGemmRegisters, {1, 2, 3, 7, 31, 32, 33, 64});
}

TEST_CASE("the register-tiled matrix product is right for a size that is no multiple of anything",
          "[gemm_registers]") {
  support::require_right(kGemmRegisters, {129});
}

TEST_CASE("the register-tiled matrix product carries NaN and infinities", "[gemm_registers]") {
  support::require_right(kGemmRegisters, {37}, true);
}
