// SPDX-License-Identifier: MIT
// Random inputs of sums and products of many terms.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/random.hpp"

/// Random floats of both signs whose sums do not cancel, NaN and infinities among them when the
/// generator adds special values, without the largest finite ones.
inline std::vector<float> summands(harness::Random& random, std::size_t count) {
  return harness::limited(random.floats(count, -0.5, 1.5), 1e15F);
}
