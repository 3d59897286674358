// SPDX-License-Identifier: MIT
// Packs on a GPU: 16 bytes, the most that one thread loads in one instruction.
#pragma once

#include <cstddef>

#include "gpu/kernel.hpp"

namespace gpu {

inline constexpr std::size_t kPackBytes = 16;

/// kWidth adjacent numbers.
template <class T>
struct alignas(kPackBytes) Pack {
  static constexpr int kWidth = static_cast<int>(kPackBytes / sizeof(T));

  Pack() = default;
  __device__ explicit Pack(T value) {
#pragma unroll
    for (int i = 0; i < kWidth; ++i) items_[i] = value;
  }
  __device__ T& operator[](int i) {
    return items_[i];
  }
  __device__ const T& operator[](int i) const {
    return items_[i];
  }

 private:
  T items_[kWidth];
};

/// a*x + b, number by number.
template <class T>
__device__ inline Pack<T> multiply_add(const Pack<T>& a, const Pack<T>& x, const Pack<T>& b) {
  Pack<T> result;
#pragma unroll
  for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = fma(a[i], x[i], b[i]);
  return result;
}

template <class T>
__device__ inline Pack<T> operator+(const Pack<T>& x, const Pack<T>& y) {
  Pack<T> result;
#pragma unroll
  for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = x[i] + y[i];
  return result;
}

template <class T>
__device__ inline Pack<T> operator*(const Pack<T>& x, const Pack<T>& y) {
  Pack<T> result;
#pragma unroll
  for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = x[i] * y[i];
  return result;
}

/// x - y, number by number.
template <class T>
__device__ inline Pack<T> operator-(const Pack<T>& x, const Pack<T>& y) {
  Pack<T> result;
#pragma unroll
  for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = x[i] - y[i];
  return result;
}

/// The larger of each pair of numbers.
template <class T>
__device__ inline Pack<T> fmaxf(const Pack<T>& x, const Pack<T>& y) {
  Pack<T> result;
#pragma unroll
  for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = ::fmaxf(x[i], y[i]);
  return result;
}

/// 2 to the power of each number.
template <class T>
__device__ inline Pack<T> exp2f(const Pack<T>& x) {
  Pack<T> result;
#pragma unroll
  for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = ::exp2f(x[i]);
  return result;
}

/// e to the power of each number.
template <class T>
__device__ inline Pack<T> expf(const Pack<T>& x) {
  Pack<T> result;
#pragma unroll
  for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = ::expf(x[i]);
  return result;
}

/// Sum of the numbers of a pack.
template <class T>
__device__ inline T sum_of(const Pack<T>& pack) {
  T sum = pack[0];
#pragma unroll
  for (int i = 1; i < Pack<T>::kWidth; ++i) sum += pack[i];
  return sum;
}

/// Loads kPackWidth<T> numbers starting at `from`, an address that is a multiple of their size.
template <class T>
__device__ inline Pack<T> load_pack(const T* from) {
  return *reinterpret_cast<const Pack<T>*>(from);
}

/// Stores them likewise.
template <class T>
__device__ inline void store_pack(T* to, const Pack<T>& pack) {
  *reinterpret_cast<Pack<T>*>(to) = pack;
}

/// The same as store_pack(): a GPU writes whole sectors without fetching them.
template <class T>
__device__ inline void store_pack_streaming(T* to, const Pack<T>& pack) {
  store_pack(to, pack);
}

/// Does nothing: other threads work while one waits.
template <class T>
__device__ inline void prefetch(const T*) {}

}  // namespace gpu
