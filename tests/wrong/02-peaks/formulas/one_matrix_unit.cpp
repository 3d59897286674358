// SPDX-License-Identifier: MIT
// The number of matrix units is forgotten.
// Refused: 02.function.matrix-peak | failed | This leaves out the number of matrix units
#include "formulas.hpp"
#include "harness/function.hpp"

double matrix_peak(double units, double, double fma_per_clock, double clock_hz) {
  return units * fma_per_clock * clock_hz * 2;
}

HARNESS_FUNCTION(matrix_peak)
