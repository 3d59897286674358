// SPDX-License-Identifier: MIT
// Bits per second.
// Refused: 02.function.memory-peak | failed | bits
#include "formulas.hpp"
#include "harness/function.hpp"

double memory_peak(double memory_clock_hz, double bus_bits, double transfers_per_clock) {
  return memory_clock_hz * transfers_per_clock * bus_bits;
}

HARNESS_FUNCTION(memory_peak)
