// SPDX-License-Identifier: MIT
// Two to four adjacent numbers, copied in one access that the compiler reports: when a structure is
// passed from memory to a function by value, GCC reports the access only if a constructor makes the
// copy.
#pragma once

#include "gpu/cpu/instrumented.hpp"

namespace gpu::cpu {

template <class T>
struct Vector1 {
  T x;
  constexpr Vector1(T x_value = T()) : x(x_value) {}
  GPU_COPIED_AS_ONE(Vector1)
};
template <class T>
struct alignas(2 * sizeof(T)) Vector2 {
  T x, y;
  constexpr Vector2(T x_value = T(), T y_value = T()) : x(x_value), y(y_value) {}
  GPU_COPIED_AS_ONE(Vector2)
};
template <class T>
struct Vector3 {
  T x, y, z;
  constexpr Vector3(T x_value = T(), T y_value = T(), T z_value = T())
      : x(x_value), y(y_value), z(z_value) {}
  GPU_COPIED_AS_ONE(Vector3)
};
template <class T>
struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) Vector4 {
  T x, y, z, w;
  constexpr Vector4(T x_value = T(), T y_value = T(), T z_value = T(), T w_value = T())
      : x(x_value), y(y_value), z(z_value), w(w_value) {}
  GPU_COPIED_AS_ONE(Vector4)
};

}  // namespace gpu::cpu
