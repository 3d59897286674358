// SPDX-License-Identifier: MIT
// Forgets that AXPY reads y before it writes it.
// Refused: 01.f.blas1 | failed | in bytes: In y = a x + y this counts y once
#include "formulas.hpp"
#include "harness/function.hpp"

Work blas1_work(Blas1 routine, double n, double element_bytes) {
  constexpr double kFlops[] = {0, 1, 2, 2, 2, 1};
  constexpr double kVectors[] = {2, 2, 2, 2, 1, 1};
  const int index = static_cast<int>(routine);
  return {kFlops[index] * n, kVectors[index] * n * element_bytes};
}

HARNESS_FUNCTION(blas1_work)
