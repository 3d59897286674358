// SPDX-License-Identifier: MIT
// The special-function and conversion instructions of NVIDIA GPUs.
#pragma once

#include <cstdint>

#include "gpu/kernel.hpp"

namespace roofline::measure {

using SpecialLane = float;
inline constexpr int kSpecialWidth = 1;

inline constexpr const char* kExp2Note = "ex2.approx.ftz.f32";
inline constexpr const char* kExpNote = "expf() of the compiler's library";
inline constexpr const char* kReciprocalNote = "rcp.approx.ftz.f32";
inline constexpr const char* kReciprocalRootNote = "rsqrt.approx.ftz.f32";

__device__ inline float special_exp2(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ inline float special_exp(float x) {
  return expf(x);
}
__device__ inline float special_reciprocal(float x) {
  float y;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ inline float special_reciprocal_root(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

/// The operand of conversions: 32 bits that are alternately an integer and a floating-point number.
using Bits = std::uint32_t;
inline constexpr int kBitsWidth = 1;
// This backend can convert two numbers to 16 bits in one instruction.
#define ROOFLINE_PACKED_CONVERSIONS
inline constexpr const char* kPackedHalfNote = "cvt.rn.f16x2.f32: two numbers an instruction";
inline constexpr const char* kPackedBfloatNote = "cvt.rn.bf16x2.f32: two numbers an instruction";

__device__ inline Bits integer_to_float(Bits bits) {
  return __float_as_uint(__int2float_rn(static_cast<int>(bits)));
}
/// The upper half of the result is `high`, the lower is `low`, each rounded to 16 bits.
__device__ inline Bits packed_half(Bits high, Bits low) {
  Bits packed;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;"
      : "=r"(packed)
      : "f"(__uint_as_float(high)), "f"(__uint_as_float(low)));
  return packed;
}
__device__ inline Bits packed_bfloat(Bits high, Bits low) {
  Bits packed;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;"
      : "=r"(packed)
      : "f"(__uint_as_float(high)), "f"(__uint_as_float(low)));
#else
  packed = (high & 0xFFFF0000u) | low >> 16;  // no such instruction; the result is refused
#endif
  return packed;
}

}  // namespace roofline::measure
