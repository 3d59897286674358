// SPDX-License-Identifier: MIT
// PairDot by v_dot2_f32_f16: two products of halves and their sum in FP32, in one instruction.
#pragma once

#include "gpu/kernel.hpp"

#ifdef __HIPCC__
namespace gpu {

class PairDot {
 public:
  __device__ __forceinline__ void add(const unsigned (&first)[2], const unsigned (&second)[2],
                                      const unsigned (&x)[2]) {
    for (int i = 0; i < 2; ++i) {
      first_ = __builtin_amdgcn_fdot2(pair(first[i]), pair(x[i]), first_, false);
      second_ = __builtin_amdgcn_fdot2(pair(second[i]), pair(x[i]), second_, false);
    }
  }
  __device__ __forceinline__ float first() const { return first_; }
  __device__ __forceinline__ float second() const { return second_; }
  __device__ __forceinline__ static bool counts() { return true; }

 private:
  using Pair = _Float16 __attribute__((ext_vector_type(2)));
  __device__ __forceinline__ static Pair pair(unsigned word) {
    return __builtin_bit_cast(Pair, word);
  }

  float first_ = 0;
  float second_ = 0;
};

}  // namespace gpu
#endif
