// SPDX-License-Identifier: MIT
// The maths that kernels call without std::, and CUDA's intrinsics.
#pragma once

#include <math.h>  // NOLINT: the global names sqrtf, fmaf, expf ... are what kernels use

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

// GCC calls the library for these, because its inline maximum would treat NaN differently; inlined,
// a loop that uses these vectorises. Of NaN and a number, the result is the number.
#define GPU_CPU_INLINE extern __inline __attribute__((gnu_inline, always_inline, artificial))
extern "C" {
GPU_CPU_INLINE float fmaxf(float x, float y) noexcept {
  return ((x > y) | (y != y)) ? x : y;
}
GPU_CPU_INLINE float fminf(float x, float y) noexcept {
  return ((x < y) | (y != y)) ? x : y;
}
}
#undef GPU_CPU_INLINE

template <class T>
T __ldg(const T* address) {
  return *address;
}

// CUDA's min and max take any mix of integers; floats go through the same names.
template <class A, class B>
requires std::is_convertible_v<A, double> && std::is_convertible_v<B, double>
constexpr auto min(const A& a, const B& b) {
  using T = decltype(+a + +b);
  return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}
template <class A, class B>
requires std::is_convertible_v<A, double> && std::is_convertible_v<B, double>
constexpr auto max(const A& a, const B& b) {
  using T = decltype(+a + +b);
  return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

inline float rsqrtf(float x) {
  return 1.0f / sqrtf(x);
}
inline double rsqrt(double x) {
  return 1.0 / sqrt(x);
}
inline float __frcp_rn(float x) {
  return 1.0f / x;
}
inline float __frsqrt_rn(float x) {
  return 1.0f / sqrtf(x);
}
inline float __fsqrt_rn(float x) {
  return sqrtf(x);
}
inline float __fdividef(float x, float y) {
  return x / y;
}
inline float __fdiv_rn(float x, float y) {
  return x / y;
}
inline float __fadd_rn(float x, float y) {
  return x + y;
}
inline float __fmul_rn(float x, float y) {
  return x * y;
}
inline float __fmaf_rn(float x, float y, float z) {
  return fmaf(x, y, z);
}
inline double __fma_rn(double x, double y, double z) {
  return fma(x, y, z);
}
inline float __expf(float x) {
  return expf(x);
}
inline float __logf(float x) {
  return logf(x);
}
inline float __log2f(float x) {
  return log2f(x);
}
inline float __powf(float x, float y) {
  return powf(x, y);
}
inline float __sinf(float x) {
  return sinf(x);
}
inline float __cosf(float x) {
  return cosf(x);
}
inline float __tanf(float x) {
  return tanf(x);
}
inline float __saturatef(float x) {
  return fminf(fmaxf(x, 0.0f), 1.0f);
}

inline int __popc(unsigned x) {
  return std::popcount(x);
}
inline int __popcll(unsigned long long x) {
  return std::popcount(x);
}
inline int __clz(int x) {
  return std::countl_zero(static_cast<unsigned>(x));
}
inline int __clzll(long long x) {
  return std::countl_zero(static_cast<unsigned long long>(x));
}
inline int __ffs(int x) {
  return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1;
}
inline int __ffsll(long long x) {
  return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
}
inline int __mul24(int x, int y) {
  return x * y;
}
inline unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>((std::uint64_t{x} * y) >> 32);
}

inline unsigned __float_as_uint(float x) {
  return std::bit_cast<unsigned>(x);
}
inline int __float_as_int(float x) {
  return std::bit_cast<int>(x);
}
/// Four bytes of x (0 to 3) and y (4 to 7), chosen by the four low digits of the selector.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t both = std::uint64_t{y} << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned chosen = (selector >> (4 * i)) & 7u;
    result |= static_cast<unsigned>((both >> (8 * chosen)) & 0xffu) << (8 * i);
  }
  return result;
}
inline float __uint_as_float(unsigned x) {
  return std::bit_cast<float>(x);
}
inline float __int_as_float(int x) {
  return std::bit_cast<float>(x);
}
inline long long __double_as_longlong(double x) {
  return std::bit_cast<long long>(x);
}
inline double __longlong_as_double(long long x) {
  return std::bit_cast<double>(x);
}
inline int __float2int_rn(float x) {
  return static_cast<int>(nearbyintf(x));
}
inline int __float2int_rz(float x) {
  return static_cast<int>(x);
}
inline float __int2float_rn(int x) {
  return static_cast<float>(x);
}
