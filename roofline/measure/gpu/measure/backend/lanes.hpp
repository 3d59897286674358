// SPDX-License-Identifier: MIT
// What one thread moves or computes in one instruction on a GPU: 16 bytes of memory, one register
// of operands.
#pragma once

#include <cstddef>

#include "gpu/kernel.hpp"
#include "gpu/pack.hpp"
#include "measure/backend/streaming.hpp"

namespace roofline::measure {

inline constexpr std::size_t kLaneBytes = gpu::kPackBytes;

/// 16 bytes, the widest load of one thread.
template <class T>
struct alignas(kLaneBytes) Lane {
  static constexpr int kWidth = static_cast<int>(kLaneBytes / sizeof(T));
  T values[kWidth];

  friend __device__ Lane operator+(const Lane& x, const Lane& y) {
    Lane sum;
    for (int i = 0; i < kWidth; ++i) sum.values[i] = x.values[i] + y.values[i];
    return sum;
  }
  friend __device__ Lane operator*(const Lane& x, const Lane& y) {
    Lane product;
    for (int i = 0; i < kWidth; ++i) product.values[i] = x.values[i] * y.values[i];
    return product;
  }
};
template <class T>
inline constexpr int kLaneWidth = Lane<T>::kWidth;

/// The unit of the FMA kernels: a GPU thread computes on scalars.
template <class T>
using ComputeLane = T;
template <class T>
inline constexpr int kComputeWidth = 1;

/// Adjacent threads share cache lines.
inline constexpr bool kContiguousThreads = false;

template <class L, class T>
__device__ inline L splat(T value) {
  if constexpr (sizeof(L) == sizeof(T)) {
    return value;
  } else {
    L lane;
    for (int i = 0; i < L::kWidth; ++i) lane.values[i] = value;
    return lane;
  }
}

__device__ inline float multiply_add(float x, float a, float b) {
  return fmaf(x, a, b);
}
__device__ inline double multiply_add(double x, double a, double b) {
  return fma(x, a, b);
}
template <class T>
__device__ inline Lane<T> multiply_add(const Lane<T>& x, const Lane<T>& a, const Lane<T>& b) {
  Lane<T> result;
  for (int i = 0; i < Lane<T>::kWidth; ++i) {
    result.values[i] = multiply_add(x.values[i], a.values[i], b.values[i]);
  }
  return result;
}

template <class T>
__device__ inline T element(const Lane<T>& lane, int index) {
  return lane.values[index];
}
__device__ inline float element(float value, int) {
  return value;
}
__device__ inline double element(double value, int) {
  return value;
}

template <class L>
__device__ inline void store(L* where, const L& value) {
  *where = value;
}

/// A store that marks its line to be evicted first.
inline constexpr bool kHasStreamingStore = true;
template <class L>
__device__ inline void store_streaming(L* where, const L& value) {
  store_streaming_16(where, &value);
}

}  // namespace roofline::measure
