// SPDX-License-Identifier: MIT
// Clocks over operations.
// Refused: 02.function.clock-of-peak | failed | the ratio is upside down
#include "formulas.hpp"
#include "harness/function.hpp"

double clock_of_peak(double peak, double units, double operations_per_clock) {
  return units * operations_per_clock / peak;
}

HARNESS_FUNCTION(clock_of_peak)
