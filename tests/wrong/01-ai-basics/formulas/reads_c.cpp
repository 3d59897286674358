// SPDX-License-Identifier: MIT
// Reads C, which the product only writes.
// Refused: 01.f.gemm | failed | in bytes: This reads C as well
#include "formulas.hpp"
#include "harness/function.hpp"

Work gemm_work(double m, double n, double k, double element_bytes) {
  return {2 * m * n * k, element_bytes * (m * k + k * n + 2 * m * n)};
}

HARNESS_FUNCTION(gemm_work)
