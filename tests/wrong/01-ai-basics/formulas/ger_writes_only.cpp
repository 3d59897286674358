// SPDX-License-Identifier: MIT
// Writes the matrix of GER without reading it.
// Refused: 01.f.blas2 | failed | in bytes: GER updates its matrix
#include "formulas.hpp"
#include "harness/function.hpp"

Work blas2_work(Blas2 routine, double n, double element_bytes) {
  const double triangle = n * (n + 1) / 2;
  const double matrices[] = {n * n, triangle, triangle, n * n};
  const int index = static_cast<int>(routine);
  return {(routine == Blas2::kTrmv ? 1 : 2) * n * n, (matrices[index] + 2 * n) * element_bytes};
}

HARNESS_FUNCTION(blas2_work)
