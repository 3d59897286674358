// SPDX-License-Identifier: MIT
// Counts as many additions as points.
// Refused: 01.f.stencil | failed | in flops: This counts an addition for each of the values
#include "formulas.hpp"
#include "harness/function.hpp"

Work stencil_work(const Stencil& stencil, double n, double element_bytes) {
  const double flops = stencil.points * (stencil.coefficients ? 2 : 1);
  const double values = stencil.reuse ? 2 : stencil.points + 1;
  return {flops * n, values * element_bytes * n};
}

HARNESS_FUNCTION(stencil_work)
