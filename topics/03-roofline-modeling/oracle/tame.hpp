// SPDX-License-Identifier: MIT
// Inputs for kernels whose sums depend on the order of additions: special values, but no huge ones.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/random.hpp"

/// Random floats, including NaN and infinities if the task asks for them. Finite numbers stay
/// within [-2, 2].
inline std::vector<float> tame_floats(harness::Random& random, std::size_t count, double low = -1,
                                      double high = 1) {
  return harness::limited(random.floats(count, low, high), 2);
}
