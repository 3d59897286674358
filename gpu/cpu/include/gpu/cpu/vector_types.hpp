// SPDX-License-Identifier: MIT
// float4 and its relatives, with CUDA's names, members and alignment.
#pragma once

#include <cstddef>

#include "gpu/cpu/vectors.hpp"

// For NAME float and TYPE float: float1 to float4, and make_float1() to make_float4().
// NOLINTBEGIN(bugprone-macro-parentheses): types
#define GPU_VECTOR_TYPES(NAME, TYPE)                                 \
  using NAME##1 = gpu::cpu::Vector1<TYPE>;                           \
  using NAME##2 = gpu::cpu::Vector2<TYPE>;                           \
  using NAME##3 = gpu::cpu::Vector3<TYPE>;                           \
  using NAME##4 = gpu::cpu::Vector4<TYPE>;                           \
  constexpr NAME##1 make_##NAME##1(TYPE x) {                         \
    return {x};                                                      \
  }                                                                  \
  constexpr NAME##2 make_##NAME##2(TYPE x, TYPE y) {                 \
    return {x, y};                                                   \
  }                                                                  \
  constexpr NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) {         \
    return {x, y, z};                                                \
  }                                                                  \
  constexpr NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) { \
    return {x, y, z, w};                                             \
  }
// NOLINTEND(bugprone-macro-parentheses)

GPU_VECTOR_TYPES(char, signed char)
GPU_VECTOR_TYPES(uchar, unsigned char)
GPU_VECTOR_TYPES(short, short)
GPU_VECTOR_TYPES(ushort, unsigned short)
GPU_VECTOR_TYPES(int, int)
GPU_VECTOR_TYPES(uint, unsigned)
GPU_VECTOR_TYPES(longlong, long long)
GPU_VECTOR_TYPES(ulonglong, unsigned long long)
GPU_VECTOR_TYPES(float, float)
GPU_VECTOR_TYPES(double, double)

#undef GPU_VECTOR_TYPES
