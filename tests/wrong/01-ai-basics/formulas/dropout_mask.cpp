// SPDX-License-Identifier: MIT
// Moves a mask for dropout that never leaves the chip.
// Refused: 01.f.rows | failed | in bytes: This moves the mask of dropout
#include "formulas.hpp"
#include "harness/function.hpp"

Work row_work(RowOperation operation, double n, double element_bytes) {
  constexpr double kFlops[] = {1, 12, 4, 5, 8, 5, 1, 2};
  constexpr double kArrays[] = {2, 2, 2, 2, 2, 2, 3, 3};
  const int index = static_cast<int>(operation);
  return {kFlops[index] * n, kArrays[index] * n * element_bytes};
}

HARNESS_FUNCTION(row_work)
