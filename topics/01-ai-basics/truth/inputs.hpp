// SPDX-License-Identifier: MIT
// Random inputs of sums and products of many terms.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/random.hpp"

/// Random floats, NaN and infinities among them when the generator adds special values. The largest
/// finite ones are made smaller: whether a sum of them overflows on the way would depend on the
/// order of its terms, which is the student's to choose.
inline std::vector<float> summands(harness::Random& random, std::size_t count) {
  constexpr float kLargest = 1e15F;
  std::vector<float> values = random.floats(count);
  for (float& value : values) {
    if (std::isfinite(value) && std::abs(value) > kLargest) value = std::copysign(kLargest, value);
  }
  return values;
}
