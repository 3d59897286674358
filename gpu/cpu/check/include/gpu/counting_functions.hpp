// SPDX-License-Identifier: MIT
// The functions of C, C++ and CUDA on numbers that count. gpu/counting.hpp includes it.
#pragma once

#include <cmath>
#include <limits>

#include "gpu/counting.hpp"
#include "gpu/cpu/atomics.hpp"
#include "gpu/cpu/math.hpp"
#include "gpu/cpu/synchronise.hpp"

namespace gpu::counting {

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names

// Functions of T x: "float" is for those that compute in float whatever their argument.
#define GPU_FUNCTION(name, Type, counts, result)                  \
  template <class A>                                              \
  requires Counted<A>                                             \
  [[gnu::always_inline]] inline Counting<Type> name(const A& a) { \
    using T = Type;                                               \
    counts;                                                       \
    const T x = static_cast<T>(value_of(a));                      \
    return Counting<T>(static_cast<T>(result));                   \
  }
#define GPU_FUNCTION_2(name, Type, field, result)                             \
  template <class A, class B>                                                 \
  requires Counted<A, B>                                                      \
  [[gnu::always_inline]] inline Counting<Type> name(const A& a, const B& b) { \
    using T = Type;                                                           \
    tally(&Counts::field);                                                    \
    const T x = static_cast<T>(value_of(a)), y = static_cast<T>(value_of(b)); \
    return Counting<T>(static_cast<T>(result));                               \
  }
#define GPU_FMA(name, Type)                                                               \
  template <class A, class B, class C>                                                    \
  requires Counted<A, B, C>                                                               \
  [[gnu::always_inline]] inline Counting<Type> name(const A& a, const B& b, const C& c) { \
    using T = Type;                                                                       \
    tally(&Counts::fused_multiply_adds);                                                  \
    return Counting<T>(std::fma(static_cast<T>(value_of(a)), static_cast<T>(value_of(b)), \
                                static_cast<T>(value_of(c))));                            \
  }
#define GPU_SAME Common<A>
#define GPU_COMMON Common<A, B>
#define GPU_COMMON_3 Common<A, B, C>

/// a*b + c in one step: one fused multiply-add, two FLOPs.
GPU_FMA(fma, GPU_COMMON_3)
GPU_FMA(fmaf, float)
GPU_FMA(__fmaf_rn, float)
GPU_FMA(__fma_rn, double)

#define GPU_SPECIAL(name, result)                                         \
  GPU_FUNCTION(name, GPU_SAME, tally(&Counts::special_functions), result) \
  GPU_FUNCTION(name##f, float, tally(&Counts::special_functions), result)
#define GPU_INTRINSIC(name, result) \
  GPU_FUNCTION(name, float, tally(&Counts::special_functions), result)
GPU_SPECIAL(sqrt, std::sqrt(x))
GPU_SPECIAL(rsqrt, 1 / std::sqrt(x))
GPU_SPECIAL(cbrt, std::cbrt(x))
GPU_SPECIAL(exp, std::exp(x))
GPU_SPECIAL(exp2, std::exp2(x))
GPU_SPECIAL(exp10, std::pow(T(10), x))
GPU_SPECIAL(expm1, std::expm1(x))
GPU_SPECIAL(log, std::log(x))
GPU_SPECIAL(log2, std::log2(x))
GPU_SPECIAL(log10, std::log10(x))
GPU_SPECIAL(log1p, std::log1p(x))
GPU_SPECIAL(sin, std::sin(x))
GPU_SPECIAL(cos, std::cos(x))
GPU_SPECIAL(tan, std::tan(x))
GPU_SPECIAL(asin, std::asin(x))
GPU_SPECIAL(acos, std::acos(x))
GPU_SPECIAL(atan, std::atan(x))
GPU_SPECIAL(sinh, std::sinh(x))
GPU_SPECIAL(cosh, std::cosh(x))
GPU_SPECIAL(tanh, std::tanh(x))
GPU_SPECIAL(erf, std::erf(x))
GPU_SPECIAL(erfc, std::erfc(x))
GPU_INTRINSIC(__expf, std::exp(x))
GPU_INTRINSIC(__logf, std::log(x))
GPU_INTRINSIC(__log2f, std::log2(x))
GPU_INTRINSIC(__sinf, std::sin(x))
GPU_INTRINSIC(__cosf, std::cos(x))
GPU_INTRINSIC(__tanf, std::tan(x))
GPU_INTRINSIC(__fsqrt_rn, std::sqrt(x))
GPU_INTRINSIC(__frsqrt_rn, 1 / std::sqrt(x))
#undef GPU_SPECIAL
#undef GPU_INTRINSIC

#define GPU_SPECIAL_2(name)                                            \
  GPU_FUNCTION_2(name, GPU_COMMON, special_functions, std::name(x, y)) \
  GPU_FUNCTION_2(name##f, float, special_functions, std::name(x, y))
GPU_SPECIAL_2(pow)
GPU_SPECIAL_2(fmod)
GPU_SPECIAL_2(atan2)
GPU_SPECIAL_2(hypot)
#undef GPU_SPECIAL_2
GPU_FUNCTION_2(__powf, float, special_functions, std::pow(x, y))

GPU_FUNCTION(__frcp_rn, float, tally(&Counts::divisions), 1 / x)
GPU_FUNCTION_2(__fdividef, float, divisions, x / y)
GPU_FUNCTION_2(__fdiv_rn, float, divisions, x / y)
GPU_FUNCTION_2(__fadd_rn, float, additions, x + y)
GPU_FUNCTION_2(__fmul_rn, float, multiplications, x* y)

GPU_FUNCTION_2(fmax, GPU_COMMON, comparisons, std::fmax(x, y))
GPU_FUNCTION_2(fmaxf, float, comparisons, std::fmax(x, y))
GPU_FUNCTION_2(max, GPU_COMMON, comparisons, x < y ? y : x)
GPU_FUNCTION_2(fmin, GPU_COMMON, comparisons, std::fmin(x, y))
GPU_FUNCTION_2(fminf, float, comparisons, std::fmin(x, y))
GPU_FUNCTION_2(min, GPU_COMMON, comparisons, y < x ? y : x)
GPU_FUNCTION(__saturatef, float, tally(&Counts::comparisons), std::fmin(std::fmax(x, 0.0f), 1.0f))

// Clearing the sign is not a FLOP, and neither is rounding.
#define GPU_FREE(name)                         \
  GPU_FUNCTION(name, GPU_SAME, , std::name(x)) \
  GPU_FUNCTION(name##f, float, , std::name(x))
GPU_FREE(fabs)
GPU_FREE(floor)
GPU_FREE(ceil)
GPU_FREE(round)
GPU_FREE(trunc)
GPU_FREE(rint)
GPU_FREE(nearbyint)
#undef GPU_FREE
GPU_FUNCTION(abs, GPU_SAME, , std::fabs(x))
#undef GPU_FUNCTION
#undef GPU_FUNCTION_2
#undef GPU_FMA
#undef GPU_SAME
#undef GPU_COMMON
#undef GPU_COMMON_3

#define GPU_QUESTION(name)                              \
  template <class A>                                    \
  requires Counted<A>                                   \
  [[gnu::always_inline]] inline bool name(const A& a) { \
    return std::name(value_of(a));                      \
  }
GPU_QUESTION(isnan)
GPU_QUESTION(isinf)
GPU_QUESTION(isfinite)
GPU_QUESTION(signbit)
#undef GPU_QUESTION

// The bits as an integer or a half: a plain number from here on.
#define GPU_CONVERSION(Type, name)                      \
  template <class A>                                    \
  requires Counted<A>                                   \
  [[gnu::always_inline]] inline Type name(const A& a) { \
    tally(&Counts::conversions);                        \
    return ::name(static_cast<float>(value_of(a)));     \
  }
GPU_CONVERSION(unsigned, __float_as_uint)
GPU_CONVERSION(int, __float_as_int)
GPU_CONVERSION(int, __float2int_rn)
GPU_CONVERSION(int, __float2int_rz)
GPU_CONVERSION(__half, __float2half)
GPU_CONVERSION(__half, __float2half_rn)
GPU_CONVERSION(__nv_bfloat16, __float2bfloat16)
#undef GPU_CONVERSION

/// An atomic update of memory that other threads use: a load, a store and an addition.
template <class T, class B>
requires AnyNumber<B>
[[gnu::always_inline]] inline Counting<T> atomicAdd(Counting<T>* address, const B& value) {
  tally(&Counts::additions);
  return Counting<T>(::atomicAdd(place_of(address), static_cast<T>(value_of(value))));
}
template <cpu::AtomicNumber Number, class T>
[[gnu::always_inline]] inline Number atomicAdd(Number* address, const Counting<T>& value) {
  tally(&Counts::additions);
  return ::atomicAdd(address, static_cast<Number>(value));
}
template <class T, class B>
requires AnyNumber<B>
[[gnu::always_inline]] inline Counting<T> atomicExch(Counting<T>* address, const B& value) {
  return Counting<T>(::atomicExch(place_of(address), static_cast<T>(value_of(value))));
}

// From register to register, so not a memory access.
#define GPU_SHUFFLE(name, Selector)                                                 \
  template <class T>                                                                \
  [[gnu::always_inline]] inline Counting<T> name(                                   \
      LaneMask mask, const Counting<T>& x, Selector selector, int width = warpSize, \
      SourceLocation where = SourceLocation::current()) {                           \
    return Counting<T>(::name(mask, value_of(x), selector, width, where));          \
  }
GPU_SHUFFLE(__shfl_sync, int)
GPU_SHUFFLE(__shfl_up_sync, unsigned)
GPU_SHUFFLE(__shfl_down_sync, unsigned)
GPU_SHUFFLE(__shfl_xor_sync, int)
#undef GPU_SHUFFLE
// NOLINTEND(bugprone-reserved-identifier)

}  // namespace gpu::counting

// A kernel writes std::exp(x) or exp(x).
namespace std {  // NOLINT(cert-dcl58-cpp)
using gpu::counting::abs;
using gpu::counting::acos;
using gpu::counting::asin;
using gpu::counting::atan;
using gpu::counting::atan2;
using gpu::counting::cbrt;
using gpu::counting::ceil;
using gpu::counting::cos;
using gpu::counting::cosh;
using gpu::counting::erf;
using gpu::counting::erfc;
using gpu::counting::exp;
using gpu::counting::exp2;
using gpu::counting::expm1;
using gpu::counting::fabs;
using gpu::counting::floor;
using gpu::counting::fma;
using gpu::counting::fmax;
using gpu::counting::fmin;
using gpu::counting::fmod;
using gpu::counting::hypot;
using gpu::counting::isfinite;
using gpu::counting::isinf;
using gpu::counting::isnan;
using gpu::counting::log;
using gpu::counting::log10;
using gpu::counting::log1p;
using gpu::counting::log2;
using gpu::counting::nearbyint;
using gpu::counting::pow;
using gpu::counting::rint;
using gpu::counting::round;
using gpu::counting::signbit;
using gpu::counting::sin;
using gpu::counting::sinh;
using gpu::counting::sqrt;
using gpu::counting::tan;
using gpu::counting::tanh;
using gpu::counting::trunc;

template <class T>
struct numeric_limits<gpu::Counting<T>> : numeric_limits<T> {
  static constexpr gpu::Counting<T> min() noexcept { return numeric_limits<T>::min(); }
  static constexpr gpu::Counting<T> max() noexcept { return numeric_limits<T>::max(); }
  static constexpr gpu::Counting<T> lowest() noexcept { return numeric_limits<T>::lowest(); }
  static constexpr gpu::Counting<T> epsilon() noexcept { return numeric_limits<T>::epsilon(); }
  static constexpr gpu::Counting<T> infinity() noexcept { return numeric_limits<T>::infinity(); }
  static constexpr gpu::Counting<T> quiet_NaN() noexcept { return numeric_limits<T>::quiet_NaN(); }
};
}  // namespace std
