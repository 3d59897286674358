// SPDX-License-Identifier: MIT
// PairDot on tensor cores: each lane multiplies its own numbers with its own inputs.
//
// One mma.m16n8k16 multiplies 16 x 16 halves with 16 x 8. Lane 4 q + t brings parts of the rows q
// and q + 8 of the one and of column q of the other, at the same places of the sum (PTX ISA,
// "Matrix fragments for mma.m16n8k16"). So element (q, q) is the dot product of what quad q brought
// for row q with its inputs, and (q + 8, q) that for row q + 8. The rest of the result is of no
// use, and free.
#pragma once

#include "gpu/kernel.hpp"

namespace gpu {

class PairDot {
 public:
  static constexpr bool kKeepsSubnormals = true;

  __device__ __forceinline__ PairDot plus(const unsigned (&first)[2], const unsigned (&second)[2],
                                          const unsigned (&x)[2]) const {
    PairDot result;
    // Volatile, like load_now(): products stay behind the loads that are written before them.
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
        "{%8, %9}, {%10, %11, %12, %13};"
        : "=f"(result.sum_[0]), "=f"(result.sum_[1]), "=f"(result.sum_[2]), "=f"(result.sum_[3])
        : "r"(first[0]), "r"(second[0]), "r"(first[1]), "r"(second[1]), "r"(x[0]), "r"(x[1]),
          "f"(sum_[0]), "f"(sum_[1]), "f"(sum_[2]), "f"(sum_[3]));
    return result;
  }
  // Both columns that may be the quad's own; which one it is matters only once, at the end.
  __device__ __forceinline__ void add_scaled(const PairDot& other, float first, float second) {
    sum_[0] = fmaf(first, other.sum_[0], sum_[0]);
    sum_[1] = fmaf(first, other.sum_[1], sum_[1]);
    sum_[2] = fmaf(second, other.sum_[2], sum_[2]);
    sum_[3] = fmaf(second, other.sum_[3], sum_[3]);
  }
  __device__ __forceinline__ float first() const { return quad() % 2 == 0 ? sum_[0] : sum_[1]; }
  __device__ __forceinline__ float second() const { return quad() % 2 == 0 ? sum_[2] : sum_[3]; }
  /// Lane t of a quad holds the columns 2 t and 2 t + 1 of the result.
  __device__ __forceinline__ static bool counts() {
    return static_cast<int>(threadIdx.x) % 4 == quad() / 2;
  }

 private:
  __device__ __forceinline__ static int quad() { return static_cast<int>(threadIdx.x) % 32 / 4; }

  float sum_[4] = {};
};

}  // namespace gpu
