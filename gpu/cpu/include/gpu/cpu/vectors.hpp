// SPDX-License-Identifier: MIT
// Two to four adjacent numbers. Checked kernels find the header of the same name in
// gpu/cpu/check/include first.
#pragma once

namespace gpu::cpu {

// An aligned load of a whole vector is one instruction, as on a GPU. Three elements are not
// aligned.
template <class T>
struct Vector1 {
  T x;
};
template <class T>
struct alignas(2 * sizeof(T)) Vector2 {
  T x, y;
};
template <class T>
struct Vector3 {
  T x, y, z;
};
template <class T>
struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) Vector4 {
  T x, y, z, w;
};

}  // namespace gpu::cpu
