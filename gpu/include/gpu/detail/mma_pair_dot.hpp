// SPDX-License-Identifier: MIT
// PairDot by matrix instructions: each lane multiplies its own numbers with its own inputs.
//
// One mma.m16n8k16 multiplies 16 x 16 halves by 16 x 8. Lane 4 q + t supplies parts of rows q and
// q + 8 of the first and of column q of the second, at the same positions of the sum (PTX ISA,
// "Matrix fragments for mma.m16n8k16"). So element (q, q) is the dot product of quad q's row q with
// its inputs, and (q + 8, q) that of its row q + 8. The rest of the result is unused, and free.
#pragma once

#include "gpu/detail/mma.hpp"
#include "gpu/kernel.hpp"

namespace gpu {

class PairDot {
 public:
  static constexpr bool kKeepsSubnormals = true;

  __device__ __forceinline__ PairDot plus(const unsigned (&first)[2], const unsigned (&second)[2],
                                          const unsigned (&x)[2]) const {
    PairDot result;
    mma::multiply_fp16_now(result.sum_, sum_, {first[0], second[0], first[1], second[1]}, x[0],
                           x[1]);
    return result;
  }
  // Scales both columns that may be the quad's own; only the final result needs to know which one
  // is.
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
