// SPDX-License-Identifier: MIT
// Exponentials, reciprocals and conversions of a CPU, one vector register at a time.
#pragma once

#include <cmath>
#include <cstdint>

#include "gpu/pack.hpp"
#include "measure/backend/lanes.hpp"
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace roofline::measure {

using SpecialLane = Lane<float>;
inline constexpr int kSpecialWidth = kLaneWidth<float>;

inline constexpr const char* kExp2Note = "exp2f() of a whole register: a polynomial (gpu/pack.hpp)";
inline constexpr const char* kExpNote = "expf() of a whole register: a polynomial (gpu/pack.hpp)";
inline constexpr const char* kReciprocalNote = "1 / x, rounded correctly";
inline constexpr const char* kReciprocalRootNote = "1 / sqrt(x), both rounded correctly";

inline SpecialLane special_exp2(SpecialLane x) {
  return reinterpret_cast<SpecialLane>(
      gpu::exp2f(gpu::Pack<float>::of(reinterpret_cast<gpu::Pack<float>::Register>(x))).items());
}
inline SpecialLane special_exp(SpecialLane x) {
  return reinterpret_cast<SpecialLane>(
      gpu::expf(gpu::Pack<float>::of(reinterpret_cast<gpu::Pack<float>::Register>(x))).items());
}
inline SpecialLane special_reciprocal(SpecialLane x) {
  return 1.0f / x;
}
inline SpecialLane special_reciprocal_root(SpecialLane x) {
  // A loop of sqrtf() is not vectorised, because each call may have to set errno.
#if defined(__AVX512F__)
  return 1.0f /
         reinterpret_cast<SpecialLane>(_mm512_maskz_sqrt_ps(0xFFFF, reinterpret_cast<__m512>(x)));
#elif defined(__AVX__)
  return 1.0f / reinterpret_cast<SpecialLane>(_mm256_sqrt_ps(reinterpret_cast<__m256>(x)));
#else
  for (int i = 0; i < kSpecialWidth; ++i) x[i] = std::sqrt(x[i]);
  return 1.0f / x;
#endif
}

/// The operand of conversions: 32 bits that are alternately an integer and a floating-point number.
/// Conversions to 16 bits halve the register, so they alone cannot form a chain.
using Bits = Lane<std::uint32_t>;
inline constexpr int kBitsWidth = kLaneWidth<std::uint32_t>;

inline Bits integer_to_float(const Bits& bits) {
  return reinterpret_cast<Bits>(
      __builtin_convertvector(reinterpret_cast<Lane<std::int32_t>>(bits), Lane<float>));
}

}  // namespace roofline::measure
