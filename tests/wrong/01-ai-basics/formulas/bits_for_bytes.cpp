// SPDX-License-Identifier: MIT
// Takes the element size for bits.
// Refused: 01.f.gemv | failed | in bytes: bits and bytes are mixed up
#include "formulas.hpp"
#include "harness/function.hpp"

Work gemv_work(double m, double n, double element_bytes) {
  return {2 * m * n, element_bytes / 8 * (m * n + n + m)};
}

HARNESS_FUNCTION(gemv_work)
