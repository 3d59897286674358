// SPDX-License-Identifier: MIT
// Inputs for kernels whose sums depend on the order: special values, but no huge ones.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "harness/random.hpp"

/// Random floats, NaN and infinities among them when the task asks for them. Finite numbers stay
/// within [-2, 2]: sums of huge ones overflow or not, depending on the order that a kernel chose.
inline std::vector<float> tame_floats(harness::Random& random, std::size_t count, double low = -1,
                                      double high = 1) {
  constexpr float kLargest = 2;
  std::vector<float> values = random.floats(count, low, high);
  for (float& value : values) {
    if (std::isfinite(value) && std::fabs(value) > kLargest) {
      value = std::copysign(kLargest, value);
    }
  }
  return values;
}
