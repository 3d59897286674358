// SPDX-License-Identifier: MIT
// The larger of the two roofs.
// Refused: 90.attainable | failed | this is the higher of the two lines
#include <algorithm>
#include <stdexcept>

#include "formulas.hpp"
#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double attainable(double peak, double bandwidth, double intensity) {
  return std::max(peak, intensity * bandwidth);
}

std::int64_t blocks_for(std::int64_t n, int threads) {
  return (n + threads - 1) / threads;
}

double step_seconds(const std::vector<Operation>& operations, const Machine& machine) {
  double seconds = 0;
  for (const Operation& operation : operations) {
    seconds += std::max(operation.flops / machine.peak, operation.bytes / machine.bandwidth);
  }
  return seconds;
}

HARNESS_FUNCTION(attainable)
HARNESS_FUNCTION(blocks_for)
HARNESS_FUNCTION(step_seconds)
