// SPDX-License-Identifier: MIT
// Takes the upper of the middle two of an even number.
// Refused: 02.function.spread | failed | This takes one of the middle two
#include <algorithm>

#include "formulas.hpp"
#include "harness/function.hpp"

double relative_spread(const std::vector<double>& samples) {
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  return (sorted.back() - sorted.front()) / sorted[sorted.size() / 2];
}

HARNESS_FUNCTION(relative_spread)
