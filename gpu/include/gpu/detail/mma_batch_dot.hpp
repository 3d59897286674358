// SPDX-License-Identifier: MIT
// BatchDot by matrix instructions: two mma.m16n8k16, whose fragments (PTX ISA, "Matrix fragments
// for mma.m16n8k16") are the words just as a lane loaded them. It does not matter which column of a
// row the instruction treats as which, as long as rows and inputs agree.
#pragma once

#include "gpu/detail/mma.hpp"
#include "gpu/kernel.hpp"

namespace gpu {

template <class T>
class BatchDot {
 public:
  static constexpr int kHeld = 4;

  __device__ __forceinline__ void add(const uint4& first, const uint4& second, const uint4& x) {
    mma::multiply_fp16(sums_, {first.x, second.x, first.y, second.y}, x.x, x.y);
    mma::multiply_fp16(sums_, {first.z, second.z, first.w, second.w}, x.z, x.w);
  }
  __device__ __forceinline__ void totals(T (&to)[kHeld]) const {
#pragma unroll
    for (int i = 0; i < kHeld; ++i) to[i] = sums_[i];
  }
  __device__ __forceinline__ static int row(int i) {
    return lane() / 4 + i / 2 * 8;
  }
  __device__ __forceinline__ static int input(int i) {
    return lane() % 4 * 2 + i % 2;
  }

 private:
  __device__ __forceinline__ static int lane() {
    return static_cast<int>(threadIdx.x) % 32;
  }

  T sums_[4] = {};
};

}  // namespace gpu
