// SPDX-License-Identifier: MIT
// A fused multiply-add as one FLOP.
// Refused: 02.function.vector-peak | failed | half of it: a fused multiply-add counts
#include "formulas.hpp"
#include "harness/function.hpp"

double vector_peak(double units, double lanes, double clock_hz) {
  return units * lanes * clock_hz;
}

HARNESS_FUNCTION(vector_peak)
