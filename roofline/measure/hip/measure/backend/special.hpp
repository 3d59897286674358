// SPDX-License-Identifier: MIT
// The special-function and conversion instructions of AMD GPUs.
#pragma once

#include <cstdint>

#include "gpu/kernel.hpp"

namespace roofline::measure {

using SpecialLane = float;
inline constexpr int kSpecialWidth = 1;

inline constexpr const char* kExp2Note = "v_exp_f32";
inline constexpr const char* kExpNote = "expf() of the compiler's library";
inline constexpr const char* kReciprocalNote = "v_rcp_f32";
inline constexpr const char* kReciprocalRootNote = "v_rsq_f32";

__device__ inline float special_exp2(float x) {
  float y;
  asm("v_exp_f32 %0, %1" : "=v"(y) : "v"(x));
  return y;
}
__device__ inline float special_exp(float x) {
  return expf(x);
}
__device__ inline float special_reciprocal(float x) {
  return __builtin_amdgcn_rcpf(x);
}
__device__ inline float special_reciprocal_root(float x) {
  return __builtin_amdgcn_rsqf(x);
}

/// The operand of conversions: 32 bits that are alternately an integer and a floating-point number.
/// The only conversion to 16 bits is v_cvt_pkrtz_f16_f32, which rounds towards zero; programs need
/// rounding to nearest.
using Bits = std::uint32_t;
inline constexpr int kBitsWidth = 1;

__device__ inline Bits integer_to_float(Bits bits) {
  return __float_as_uint(__int2float_rn(static_cast<int>(bits)));
}

}  // namespace roofline::measure
