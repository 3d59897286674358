// SPDX-License-Identifier: MIT
// __half (IEEE binary16) and __nv_bfloat16 (the upper half of a float), with CUDA's names.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>

#include "gpu/cpu/half_conversion.hpp"
#include "gpu/cpu/instrumented.hpp"
#include "gpu/cpu/vector_types.hpp"

namespace gpu::cpu {

/// A 16-bit number that computes in float and rounds once; for +, -, *, / and sqrt that gives
/// exactly the correctly rounded result, because a float has more than twice the digits.
template <std::uint16_t (*to_bits)(float), float (*to_value)(std::uint16_t)>
struct Number16 {
  std::uint16_t bits;

  GPU_STARTS_UNWRITTEN(Number16, bits)
  GPU_COPIED_AS_ONE(Number16)
  constexpr Number16(float value) : bits(to_bits(value)) {}
  constexpr Number16(double value) : Number16(static_cast<float>(value)) {}
  constexpr Number16(int value) : Number16(static_cast<float>(value)) {}
  constexpr operator float() const { return to_value(bits); }

  friend constexpr Number16 operator+(Number16 a, Number16 b) { return float{a} + float{b}; }
  friend constexpr Number16 operator-(Number16 a, Number16 b) { return float{a} - float{b}; }
  friend constexpr Number16 operator*(Number16 a, Number16 b) { return float{a} * float{b}; }
  friend constexpr Number16 operator/(Number16 a, Number16 b) { return float{a} / float{b}; }
  constexpr Number16 operator-() const { return -float{*this}; }
  constexpr Number16& operator+=(Number16 other) { return *this = *this + other; }
  constexpr Number16& operator-=(Number16 other) { return *this = *this - other; }
  constexpr Number16& operator*=(Number16 other) { return *this = *this * other; }
  constexpr Number16& operator/=(Number16 other) { return *this = *this / other; }
  friend constexpr bool operator==(Number16 a, Number16 b) { return float{a} == float{b}; }
  friend constexpr bool operator<(Number16 a, Number16 b) { return float{a} < float{b}; }
  friend constexpr bool operator>(Number16 a, Number16 b) { return float{a} > float{b}; }
  friend constexpr bool operator<=(Number16 a, Number16 b) { return float{a} <= float{b}; }
  friend constexpr bool operator>=(Number16 a, Number16 b) { return float{a} >= float{b}; }
};

}  // namespace gpu::cpu

using __half = gpu::cpu::Number16<gpu::cpu::half_bits, gpu::cpu::half_value>;
using __nv_bfloat16 = gpu::cpu::Number16<gpu::cpu::bfloat16_bits, gpu::cpu::bfloat16_value>;
using __half2 = gpu::cpu::Vector2<__half>;
using __nv_bfloat162 = gpu::cpu::Vector2<__nv_bfloat16>;

inline __half __float2half(float value) {
  return value;
}
inline __half __float2half_rn(float value) {
  return value;
}
inline float __half2float(__half value) {
  return value;
}
inline __nv_bfloat16 __float2bfloat16(float value) {
  return value;
}
inline float __bfloat162float(__nv_bfloat16 value) {
  return value;
}
inline unsigned short __half_as_ushort(__half value) {
  return value.bits;
}
inline __half __ushort_as_half(unsigned short bits) {
  __half value;
  value.bits = bits;
  return value;
}
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) {
  return value.bits;
}

namespace gpu::cpu {
template <class T>
concept SixteenBit = std::same_as<T, __half> || std::same_as<T, __nv_bfloat16>;
template <class T>
concept SixteenBitPair = std::same_as<T, __half2> || std::same_as<T, __nv_bfloat162>;
}  // namespace gpu::cpu

template <gpu::cpu::SixteenBit T>
T __hadd(T a, T b) {
  return a + b;
}
template <gpu::cpu::SixteenBit T>
T __hsub(T a, T b) {
  return a - b;
}
template <gpu::cpu::SixteenBit T>
T __hmul(T a, T b) {
  return a * b;
}
template <gpu::cpu::SixteenBit T>
T __hfma(T a, T b, T c) {
  // The product is exact in double, and so is the sum unless the terms are more than 2^53 apart.
  return static_cast<float>(double{float{a}} * double{float{b}} + double{float{c}});
}
template <gpu::cpu::SixteenBitPair T>
T __hadd2(T a, T b) {
  return {a.x + b.x, a.y + b.y};
}
template <gpu::cpu::SixteenBitPair T>
T __hmul2(T a, T b) {
  return {a.x * b.x, a.y * b.y};
}
template <gpu::cpu::SixteenBitPair T>
T __hfma2(T a, T b, T c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
inline __half2 __floats2half2_rn(float x, float y) {
  return {x, y};
}
inline __half2 __float2half2_rn(float value) {
  return {value, value};
}
inline __half2 __half2half2(__half value) {
  return {value, value};
}
inline __half2 __halves2half2(__half x, __half y) {
  return {x, y};
}
inline float2 __half22float2(__half2 pair) {
  return {pair.x, pair.y};
}
inline __half __low2half(__half2 pair) {
  return pair.x;
}
inline __half __high2half(__half2 pair) {
  return pair.y;
}
template <gpu::cpu::SixteenBitPair T>
float __low2float(T pair) {
  return pair.x;
}
template <gpu::cpu::SixteenBitPair T>
float __high2float(T pair) {
  return pair.y;
}
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {x, y};
}
inline __nv_bfloat162 __float2bfloat162_rn(float value) {
  return {value, value};
}
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 value) {
  return {value, value};
}
inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
inline float2 __bfloat1622float2(__nv_bfloat162 pair) {
  return {pair.x, pair.y};
}
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 pair) {
  return pair.x;
}
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 pair) {
  return pair.y;
}
