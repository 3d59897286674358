// SPDX-License-Identifier: MIT
// Lines are never fetched before they are written.
// Refused: 02.function.bus-bytes | failed | This moves every written line once
#include "formulas.hpp"
#include "harness/function.hpp"

double bus_bytes(double n, double element_bytes, double arrays_read, double arrays_written, bool) {
  return n * element_bytes * (arrays_read + arrays_written);
}

HARNESS_FUNCTION(bus_bytes)
