// SPDX-License-Identifier: MIT
// Transfers per second counted as clocks, and doubled.
// Refused: 02.function.cpu-memory-peak | failed | something counted twice
#include "formulas.hpp"
#include "harness/function.hpp"

double cpu_memory_peak(double channels, double transfers_per_second) {
  return channels * transfers_per_second * 2 * 8;
}

HARNESS_FUNCTION(cpu_memory_peak)
