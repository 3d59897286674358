// SPDX-License-Identifier: MIT
// Divides by the mean.
// Refused: 02.function.spread | failed | This divides by the mean
#include <algorithm>
#include <numeric>

#include "formulas.hpp"
#include "harness/function.hpp"

double relative_spread(const std::vector<double>& samples) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  const double mean =
      std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  return (*most - *least) / mean;
}

HARNESS_FUNCTION(relative_spread)
