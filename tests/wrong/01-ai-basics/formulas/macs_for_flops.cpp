// SPDX-License-Identifier: MIT
// Counts a multiply-add as one operation.
// Refused: 01.f.gemm | failed | in flops: half of it: a fused multiply-add is two FLOPs
#include "formulas.hpp"
#include "harness/function.hpp"

Work gemm_work(double m, double n, double k, double element_bytes) {
  return {m * n * k, element_bytes * (m * k + k * n + m * n)};
}

HARNESS_FUNCTION(gemm_work)
