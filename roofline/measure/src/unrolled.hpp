// SPDX-License-Identifier: MIT
// Loops that every compiler unrolls, so that arrays indexed in them stay in registers.
#pragma once

#include <utility>

#include "gpu/kernel.hpp"

namespace roofline::measure {

/// Calls body(0) ... body(count - 1), each a separate call with a constant argument.
template <int count, class Body>
__device__ __forceinline__ void unrolled(const Body& body) {
  [&]<int... index>(std::integer_sequence<int, index...>) {
    (body(index), ...);
  }
  (std::make_integer_sequence<int, count>{});
}

}  // namespace roofline::measure
