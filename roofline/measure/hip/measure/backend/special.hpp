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

/// What conversions work on: 32 bits that are now an integer, now a number.
using Bits = std::uint32_t;
inline constexpr int kBitsWidth = 1;
/// v_cvt_pkrtz_f16_f32 rounds to zero: another conversion than the one that programs ask for.
inline constexpr bool kHasPackedConversions = false;

__device__ inline Bits splat_bits(std::uint32_t bits) {
  return bits;
}
__device__ inline std::uint32_t bits_of(Bits bits, int) {
  return bits;
}
__device__ inline Bits integer_to_float(Bits bits) {
  return __float_as_uint(__int2float_rn(static_cast<int>(bits)));
}
inline constexpr const char* kPackedHalfNote = "";
inline constexpr const char* kPackedBfloatNote = "";
__device__ inline Bits packed_half(Bits high, Bits) {
  return high;
}
__device__ inline Bits packed_bfloat(Bits high, Bits) {
  return high;
}

}  // namespace roofline::measure
