// SPDX-License-Identifier: MIT
// The vector type of a number type, for kernels that are templates over the number.
#pragma once

#include "gpu/kernel.hpp"

namespace gpu {

template <class T, int kWidth>
struct VectorOf;
template <>
struct VectorOf<float, 2> {
  using type = float2;
};
template <>
struct VectorOf<float, 4> {
  using type = float4;
};
template <>
struct VectorOf<double, 2> {
  using type = double2;
};
template <>
struct VectorOf<int, 2> {
  using type = int2;
};
template <>
struct VectorOf<int, 4> {
  using type = int4;
};

/// Vector<float, 4> is float4; for a counting number it is four of those, copied in one access.
template <class T, int kWidth>
using Vector = typename VectorOf<T, kWidth>::type;

}  // namespace gpu
