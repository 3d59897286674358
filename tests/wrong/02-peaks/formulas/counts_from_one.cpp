// SPDX-License-Identifier: MIT
// The nearest cache as number 1.
// Refused: 02.function.serving-level | failed | This counts the levels from 1
#include "formulas.hpp"
#include "harness/function.hpp"

std::int64_t serving_level(double working_set_bytes, const std::vector<double>& capacities) {
  std::int64_t level = 1;
  for (const double capacity : capacities) {
    if (working_set_bytes <= capacity) break;
    ++level;
  }
  return level;
}

HARNESS_FUNCTION(serving_level)
