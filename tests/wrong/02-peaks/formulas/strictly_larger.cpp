// SPDX-License-Identifier: MIT
// A working set as large as a cache does not fit any more.
// Refused: 02.function.serving-level | failed | just as large as a cache
#include "formulas.hpp"
#include "harness/function.hpp"

std::int64_t serving_level(double working_set_bytes, const std::vector<double>& capacities) {
  std::int64_t level = 0;
  for (const double capacity : capacities) {
    if (working_set_bytes < capacity) break;
    ++level;
  }
  return level;
}

HARNESS_FUNCTION(serving_level)
