// SPDX-License-Identifier: MIT
// gpu::tile on tensor cores: two mma.m16n8k16 side by side, in the layouts of the PTX ISA ("Matrix
// fragments for mma.m16n8k16"). Lane 4 q + t holds of the sums the rows q and q + 8, and there the
// columns 2 t, 2 t + 1, 2 t + 8, 2 t + 9: those of a left factor, so that none has to move.
#pragma once

#include "gpu/kernel.hpp"

namespace gpu::tile {

inline constexpr int kSide = 16;
inline constexpr int kLanes = 32;

namespace detail {

__device__ __forceinline__ int lane() {
  return static_cast<int>(threadIdx.x) % kLanes;
}

/// Four 8 x 8 matrices; lane l names the row l % 8 of matrix l / 8.
__device__ __forceinline__ void load_four(unsigned (&to)[4], const __nv_bfloat16* row) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared)
               : "memory");
}
__device__ __forceinline__ void load_four_transposed(unsigned (&to)[4], const __nv_bfloat16* row) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(shared)
               : "memory");
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
    detail::load_four(words_, from + lane % 16 * stride + lane / 16 * 8);
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
    detail::load_four_transposed(words_, from + lane % 16 * stride + lane / 16 * 8);
  }
  __device__ __forceinline__ void load_columns(const __nv_bfloat16* from, int stride) {
    const int lane = detail::lane();
    detail::load_four(words_, from + (lane % 8 + lane / 16 * 8) * stride + lane / 8 % 2 * 8);
  }

 private:
  template <class T>
  friend class Sum;

  unsigned words_[4];
};

template <class T>
class Sum;

template <>
class Sum<float> {
 public:
  static constexpr int kRows = 2;
  static constexpr int kColumns = 4;

  __device__ __forceinline__ void add(const Left& left, const Right& right) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float* sums = values_ + 4 * half;
      asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, "
          "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
          : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
          : "r"(left.words_[0]), "r"(left.words_[1]), "r"(left.words_[2]), "r"(left.words_[3]),
            "r"(right.words_[2 * half]), "r"(right.words_[2 * half + 1]));
    }
  }
  __device__ __forceinline__ static constexpr int rows() {
    return kRows;
  }
  __device__ __forceinline__ float& at(int r, int c) {
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
      left.words_[i] = detail::two_rounded(values_[2 * i], values_[2 * i + 1]);
    }
    return left;
  }

 private:
  float values_[8] = {};
};

template <class T, class Combine>
__device__ __forceinline__ T over_row(T value, const Combine& combine) {
  value = combine(value, __shfl_xor_sync(kFullMask, value, 1));
  return combine(value, __shfl_xor_sync(kFullMask, value, 2));
}

__device__ __forceinline__ bool any(bool value) {
  return __any_sync(kFullMask, value) != 0;
}

}  // namespace gpu::tile
