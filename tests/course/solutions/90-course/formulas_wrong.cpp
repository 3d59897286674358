// SPDX-License-Identifier: MIT
// Formulas of common mistakes in the test course.
#include <algorithm>

#include "formulas.hpp"
#include "harness/function.hpp"

namespace {

double attainable_maximum(double peak, double bandwidth, double intensity) {
  return std::max(peak, intensity * bandwidth);
}

double step_maximum_of_sums(const std::vector<Operation>& operations, const Machine& machine) {
  double compute = 0;
  double memory = 0;
  for (const Operation& operation : operations) {
    compute += operation.flops / machine.peak;
    memory += operation.bytes / machine.bandwidth;
  }
  return std::max(compute, memory);
}

HARNESS_FUNCTION(attainable_maximum)
HARNESS_FUNCTION(step_maximum_of_sums)

}  // namespace
