// SPDX-License-Identifier: MIT
// PairDot by v_dot2_f32_f16: two products of halves and their sum in FP32, in one instruction.
#pragma once

#include "gpu/kernel.hpp"

#ifdef __HIPCC__
namespace gpu {

class PairDot {
 public:
  /// The instruction may flush subnormals to zero; this has not been tried.
  static constexpr bool kKeepsSubnormals = false;

  __device__ __forceinline__ PairDot plus(const unsigned (&first)[2], const unsigned (&second)[2],
                                          const unsigned (&x)[2]) const {
    PairDot result = *this;
    for (int i = 0; i < 2; ++i) {
      result.first_ = __builtin_amdgcn_fdot2(pair(first[i]), pair(x[i]), result.first_, false);
      result.second_ = __builtin_amdgcn_fdot2(pair(second[i]), pair(x[i]), result.second_, false);
    }
    return result;
  }
  __device__ __forceinline__ void add_scaled(const PairDot& other, float first, float second) {
    first_ = fmaf(first, other.first_, first_);
    second_ = fmaf(second, other.second_, second_);
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
