// SPDX-License-Identifier: MIT
// The maximum of the sums, not the sum of the maxima.
// Refused: 90.step | failed | this is the maximum of two sums
#include <algorithm>
#include <stdexcept>

#include "formulas.hpp"
#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double attainable(double peak, double bandwidth, double intensity) {
  return std::min(peak, intensity * bandwidth);
}

std::int64_t blocks_for(std::int64_t n, int threads) {
  return (n + threads - 1) / threads;
}

double step_seconds(const std::vector<Operation>& operations, const Machine& machine) {
  double compute = 0;
  double memory = 0;
  for (const Operation& operation : operations) {
    compute += operation.flops / machine.peak;
    memory += operation.bytes / machine.bandwidth;
  }
  return std::max(compute, memory);
}

HARNESS_FUNCTION(attainable)
HARNESS_FUNCTION(blocks_for)
HARNESS_FUNCTION(step_seconds)
