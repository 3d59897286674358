// SPDX-License-Identifier: MIT
// Loops that every compiler unrolls, so that arrays indexed in them stay in registers.
#pragma once

#include <type_traits>
#include <utility>

#include "gpu/kernel.hpp"

namespace roofline::measure {

/// Calls body with std::integral_constant<int, 0> ... <int, count - 1>.
template <int count, class Body>
__device__ __forceinline__ void unrolled(const Body& body) {
  [&]<int... index>(std::integer_sequence<int, index...>) {
    (body(std::integral_constant<int, index>{}), ...);
  }
  (std::make_integer_sequence<int, count>{});
}

}  // namespace roofline::measure
