// SPDX-License-Identifier: MIT
// Brings all parts to the first one's maximum: a much larger one overflows.
// Refused: 04.formulas.merge | failed | wrong for
#include <cmath>

#include "formulas.hpp"
#include "harness/function.hpp"

double merge_parts(const std::vector<Part>& parts) {
  double sum = 0;
  double weighted = 0;
  for (const Part& part : parts) {
    const double factor = std::exp(part.maximum - parts.front().maximum);
    sum += factor * part.sum;
    weighted += factor * part.weighted;
  }
  return parts.empty() ? 0 : weighted / sum;
}

HARNESS_FUNCTION(merge_parts)
