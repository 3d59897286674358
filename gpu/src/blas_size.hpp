// SPDX-License-Identifier: MIT
// Sizes as every BLAS takes them.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace gpu {

/// A size as the 32-bit integer of a BLAS interface. @throws std::runtime_error when it does not
/// fit.
inline int narrow(std::int64_t value) {
  if (value < 0 || value > std::numeric_limits<int>::max()) {
    throw std::runtime_error("gpu::sgemm: sizes must fit 31 bits");
  }
  return static_cast<int>(value);
}

}  // namespace gpu
