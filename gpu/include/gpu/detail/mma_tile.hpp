// SPDX-License-Identifier: MIT
// gpu::tile by matrix instructions: two mma.m16n8k16 side by side. Of the sums, lane 4 q + t holds
// rows q and q + 8, and in them columns 2 t, 2 t + 1, 2 t + 8 and 2 t + 9. A left factor has the
// same layout, so sums become factors without moving.
#pragma once

#include "gpu/detail/mma.hpp"
#include "gpu/kernel.hpp"

namespace gpu::tile {

inline constexpr int kSide = 16;
inline constexpr int kLanes = 32;

namespace detail {

__device__ __forceinline__ int lane() {
  return static_cast<int>(threadIdx.x) % kLanes;
}

__device__ __forceinline__ unsigned two_rounded(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<const unsigned*>(&pair);
}

}  // namespace detail

class Left {
 public:
  __device__ __forceinline__ void load(const __nv_bfloat16* from, int stride) {
    const int lane = detail::lane();
    mma::load_four(words_, from + lane % 16 * stride + lane / 16 * 8);
  }

 private:
  template <class T>
  friend class Sum;

  unsigned words_[4];
};

class Right {
 public:
  __device__ __forceinline__ void load_rows(const __nv_bfloat16* from, int stride) {
    const int lane = detail::lane();
    mma::load_four_transposed(words_, from + lane % 16 * stride + lane / 16 * 8);
  }
  __device__ __forceinline__ void load_columns(const __nv_bfloat16* from, int stride) {
    const int lane = detail::lane();
    mma::load_four(words_, from + (lane % 8 + lane / 16 * 8) * stride + lane / 8 % 2 * 8);
  }

 private:
  template <class T>
  friend class Sum;

  unsigned words_[4];
};

template <class T>
class Sum {
 public:
  static constexpr int kRows = 2;
  static constexpr int kColumns = 4;

  __device__ __forceinline__ void add(const Left& left, const Right& right) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      mma::multiply_bf16(values_ + 4 * half, left.words_, right.words_[2 * half],
                         right.words_[2 * half + 1]);
    }
  }
  __device__ __forceinline__ static constexpr int rows() {
    return kRows;
  }
  __device__ __forceinline__ T& at(int r, int c) {
    return values_[c / 2 * 4 + r * 2 + c % 2];
  }
  __device__ __forceinline__ static int row(int r) {
    return detail::lane() / 4 + 8 * r;
  }
  __device__ __forceinline__ static int column(int c) {
    return detail::lane() % 4 * 2 + c / 2 * 8 + c % 2;
  }
  __device__ __forceinline__ Left rounded() const {
    Left left;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      left.words_[i] = detail::two_rounded(static_cast<float>(values_[2 * i]),
                                           static_cast<float>(values_[2 * i + 1]));
    }
    return left;
  }

 private:
  T values_[8] = {};
};

template <class T, class Combine>
__device__ __forceinline__ T over_row(T value, const Combine& combine) {
  value = combine(value, __shfl_xor_sync(mma::lanes_of_matrix(), value, 1));
  return combine(value, __shfl_xor_sync(mma::lanes_of_matrix(), value, 2));
}

__device__ __forceinline__ bool any(bool value) {
  return __any_sync(mma::lanes_of_matrix(), value) != 0;
}

}  // namespace gpu::tile
