// SPDX-License-Identifier: MIT
// gpu::tile over v_mfma_f32_16x16x16_bf16 (gfx90a, gfx940 and later). The instruction gives a lane
// a column of the sums, so we compute the transposed product: the lane then holds part of a row, in
// the same columns that it would hold of a left factor. Lane l: row l % 16, columns 4 (l / 16) ...
#pragma once

#include "gpu/kernel.hpp"

namespace gpu::tile {

inline constexpr int kSide = 16;
inline constexpr int kLanes = 64;

#ifdef __HIPCC__
namespace detail {

using Four = short __attribute__((ext_vector_type(4)));
using FourFloats = float __attribute__((ext_vector_type(4)));

__device__ inline int line() {
  return static_cast<int>(threadIdx.x) % kSide;
}
__device__ inline int first() {
  return static_cast<int>(threadIdx.x) % kLanes / kSide * 4;
}
__device__ inline Four load_four(const __nv_bfloat16* from, int stride) {
  Four four;
  for (int i = 0; i < 4; ++i) four[i] = static_cast<short>(from[i * stride].data);
  return four;
}

}  // namespace detail

class Left {
 public:
  __device__ void load(const __nv_bfloat16* from, int stride) {
    four_ = detail::load_four(from + detail::line() * stride + detail::first(), 1);
  }

 private:
  template <class T>
  friend class Sum;

  detail::Four four_;
};

class Right {
 public:
  __device__ void load_rows(const __nv_bfloat16* from, int stride) {
    four_ = detail::load_four(from + detail::first() * stride + detail::line(), stride);
  }
  __device__ void load_columns(const __nv_bfloat16* from, int stride) {
    four_ = detail::load_four(from + detail::line() * stride + detail::first(), 1);
  }

 private:
  template <class T>
  friend class Sum;

  detail::Four four_;
};

template <class T>
class Sum;

template <>
class Sum<float> {
 public:
  static constexpr int kRows = 1;
  static constexpr int kColumns = 4;

  __device__ void add(const Left& left, const Right& right) {
    values_ = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(right.four_, left.four_, values_, 0, 0, 0);
  }
  __device__ static constexpr int rows() { return kRows; }
  __device__ float& at(int, int c) { return reinterpret_cast<float*>(&values_)[c]; }
  __device__ static int row(int) { return detail::line(); }
  __device__ static int column(int c) { return detail::first() + c; }
  __device__ Left rounded() const {
    Left left;
    for (int i = 0; i < 4; ++i) {
      left.four_[i] = static_cast<short>(__float2bfloat16(values_[i]).data);
    }
    return left;
  }

 private:
  detail::FourFloats values_ = {0, 0, 0, 0};
};

template <class T, class Combine>
__device__ T over_row(T value, const Combine& combine) {
  value = combine(value, __shfl_xor_sync(kFullMask, value, 16));
  return combine(value, __shfl_xor_sync(kFullMask, value, 32));
}

__device__ inline bool any(bool value) {
  return __any_sync(kFullMask, value) != 0;
}
#endif

}  // namespace gpu::tile
