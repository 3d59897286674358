// SPDX-License-Identifier: MIT
// BatchDot on tensor cores: two mma.m16n8k16, whose fragments (PTX ISA, "Matrix fragments for
// mma.m16n8k16") are the words as a lane loaded them. Which column of a row the instruction takes
// for which does not matter, as long as rows and inputs agree.
#pragma once

#include "gpu/kernel.hpp"

namespace gpu {

template <class T>
class BatchDot;

template <>
class BatchDot<float> {
 public:
  static constexpr int kHeld = 4;

  __device__ __forceinline__ void add(const uint4& first, const uint4& second, const uint4& x) {
    multiply(first.x, second.x, first.y, second.y, x.x, x.y);
    multiply(first.z, second.z, first.w, second.w, x.z, x.w);
  }
  __device__ __forceinline__ void totals(float (&to)[kHeld]) const {
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
  __device__ __forceinline__ void multiply(unsigned a0, unsigned a1, unsigned a2, unsigned a3,
                                           unsigned b0, unsigned b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sums_[0]), "+f"(sums_[1]), "+f"(sums_[2]), "+f"(sums_[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  }

  float sums_[4] = {};
};

}  // namespace gpu
