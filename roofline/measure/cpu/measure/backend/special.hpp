// SPDX-License-Identifier: MIT
// Exponentials, reciprocals and conversions of a CPU, one vector register at a time.
#pragma once

#include <cmath>
#include <cstdint>

#include "measure/backend/lanes.hpp"

namespace roofline::measure {

using SpecialLane = Lane<float>;
inline constexpr int kSpecialWidth = kLaneWidth<float>;

inline constexpr const char* kExp2Note = "exp2f() of the C library, element by element";
inline constexpr const char* kExpNote = "expf() of the C library, element by element";
inline constexpr const char* kReciprocalNote = "1 / x, rounded correctly";
inline constexpr const char* kReciprocalRootNote = "1 / sqrt(x), both rounded correctly";

inline SpecialLane special_exp2(SpecialLane x) {
  for (int i = 0; i < kSpecialWidth; ++i) x[i] = std::exp2(x[i]);
  return x;
}
inline SpecialLane special_exp(SpecialLane x) {
  for (int i = 0; i < kSpecialWidth; ++i) x[i] = std::exp(x[i]);
  return x;
}
inline SpecialLane special_reciprocal(SpecialLane x) {
  return 1.0f / x;
}
inline SpecialLane special_reciprocal_root(SpecialLane x) {
  for (int i = 0; i < kSpecialWidth; ++i) x[i] = std::sqrt(x[i]);
  return 1.0f / x;
}

/// What conversions work on: 32 bits that are now an integer, now a number.
using Bits = Lane<std::uint32_t>;
inline constexpr int kBitsWidth = kLaneWidth<std::uint32_t>;
/// The CPU's instructions change the width of a register: no chain of them alone.
inline constexpr bool kHasPackedConversions = false;

inline Bits splat_bits(std::uint32_t bits) {
  return splat<Bits>(bits);
}
inline std::uint32_t bits_of(const Bits& bits, int index) {
  return bits[index];
}
inline Bits integer_to_float(const Bits& bits) {
  return reinterpret_cast<Bits>(
      __builtin_convertvector(reinterpret_cast<Lane<std::int32_t>>(bits), Lane<float>));
}
inline constexpr const char* kPackedHalfNote = "";
inline constexpr const char* kPackedBfloatNote = "";
inline Bits packed_half(const Bits& high, const Bits&) {
  return high;
}
inline Bits packed_bfloat(const Bits& high, const Bits&) {
  return high;
}

}  // namespace roofline::measure
