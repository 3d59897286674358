// SPDX-License-Identifier: MIT
// Random inputs for sums and products with many terms.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/random.hpp"

/// Random floats of both signs whose sums do not cancel, including NaN and infinities if the
/// generator adds special values, but without the largest finite numbers.
inline std::vector<float> summands(harness::Random& random, std::size_t count) {
  return harness::limited(random.floats(count, -0.5, 1.5), 1e15F);
}
