// SPDX-License-Identifier: MIT
// A number that counts the arithmetic done with it. Only in checked kernels, whose memory accesses
// the compiler reports as well:
//
//   template <class T>
//   __global__ void saxpy(std::int64_t n, T a, const T* x, T* y) { ... }
//
//   gpu::Counts counts = gpu::count([&] {
//     gpu::launch<saxpy<gpu::Counting<float>>>(grid, block, n, a, gpu::counted(x),
//     gpu::counted(y));
//   });
#pragma once

#include <cmath>
#include <compare>
#include <concepts>
#include <type_traits>

#include "gpu/buffer.hpp"
#include "gpu/counts.hpp"
#include "gpu/cpu/atomics.hpp"
#include "gpu/cpu/synchronise.hpp"
#include "gpu/cpu/vectors.hpp"
#include "gpu/vector.hpp"

namespace gpu {

// Everything is inlined, so that an operand is read where the kernel's source names it.

#define GPU_COUNTED(name, field, result)                           \
  [[gnu::always_inline]] friend Counting name(const Counting& x) { \
    tally(&Counts::field);                                         \
    return Counting(static_cast<T>(result));                       \
  }
#define GPU_COUNTED_2(name, field, result)                                            \
  [[gnu::always_inline]] friend Counting name(const Counting& x, const Counting& y) { \
    tally(&Counts::field);                                                            \
    return Counting(static_cast<T>(result));                                          \
  }
#define GPU_COUNTED_SHUFFLE(name, Selector)                                                        \
  [[gnu::always_inline]] friend Counting name(LaneMask mask, const Counting& x, Selector selector, \
                                              int width = warpSize,                                \
                                              SourceLocation where = SourceLocation::current()) {  \
    return Counting(::name(mask, x.value_, selector, width, where));                               \
  }

/// A T with the size and layout of a T.
template <std::floating_point T>
class Counting {
 public:
  GPU_STARTS_UNWRITTEN(Counting, value_)
  template <class Number>
  requires std::is_arithmetic_v<Number>
  [[gnu::always_inline]] Counting(Number value) : value_(static_cast<T>(value)) {}

  GPU_COPIED_AS_ONE(Counting)

  /// The plain number, with which nothing is counted any more.
  [[gnu::always_inline]] explicit operator T() const { return value_; }

  GPU_COUNTED_2(operator+, additions, x.value_ + y.value_)
  GPU_COUNTED_2(operator-, additions, x.value_ - y.value_)
  GPU_COUNTED_2(operator*, multiplications, x.value_* y.value_)
  GPU_COUNTED_2(operator/, divisions, x.value_ / y.value_)
  [[gnu::always_inline]] Counting operator-() const { return Counting(-value_); }
  [[gnu::always_inline]] Counting operator+() const { return Counting(value_); }
  [[gnu::always_inline]] Counting& operator+=(const Counting& b) { return *this = *this + b; }
  [[gnu::always_inline]] Counting& operator-=(const Counting& b) { return *this = *this - b; }
  [[gnu::always_inline]] Counting& operator*=(const Counting& b) { return *this = *this * b; }
  [[gnu::always_inline]] Counting& operator/=(const Counting& b) { return *this = *this / b; }
  [[gnu::always_inline]] friend bool operator==(const Counting& x, const Counting& y) {
    return x.value_ == y.value_;
  }
  [[gnu::always_inline]] friend std::partial_ordering operator<=>(const Counting& x,
                                                                  const Counting& y) {
    return x.value_ <=> y.value_;
  }

  /// a*b + c in one step: one fused multiply-add, two FLOPs.
  [[gnu::always_inline]] friend Counting fma(const Counting& a, const Counting& b,
                                             const Counting& c) {
    tally(&Counts::fused_multiply_adds);
    return Counting(std::fma(a.value_, b.value_, c.value_));
  }
  [[gnu::always_inline]] friend Counting fmaf(const Counting& a, const Counting& b,
                                              const Counting& c) {
    return fma(a, b, c);
  }

  GPU_COUNTED(sqrt, special_functions, std::sqrt(x.value_))
  GPU_COUNTED(sqrtf, special_functions, std::sqrt(x.value_))
  GPU_COUNTED(rsqrt, special_functions, 1 / std::sqrt(x.value_))
  GPU_COUNTED(rsqrtf, special_functions, 1 / std::sqrt(x.value_))
  GPU_COUNTED(exp, special_functions, std::exp(x.value_))
  GPU_COUNTED(expf, special_functions, std::exp(x.value_))
  GPU_COUNTED(__expf, special_functions, std::exp(x.value_))
  GPU_COUNTED(exp2, special_functions, std::exp2(x.value_))
  GPU_COUNTED(exp2f, special_functions, std::exp2(x.value_))
  GPU_COUNTED(log, special_functions, std::log(x.value_))
  GPU_COUNTED(logf, special_functions, std::log(x.value_))
  GPU_COUNTED(__logf, special_functions, std::log(x.value_))
  GPU_COUNTED(sin, special_functions, std::sin(x.value_))
  GPU_COUNTED(sinf, special_functions, std::sin(x.value_))
  GPU_COUNTED(cos, special_functions, std::cos(x.value_))
  GPU_COUNTED(cosf, special_functions, std::cos(x.value_))
  GPU_COUNTED(tanh, special_functions, std::tanh(x.value_))
  GPU_COUNTED(tanhf, special_functions, std::tanh(x.value_))
  GPU_COUNTED(erf, special_functions, std::erf(x.value_))
  GPU_COUNTED(erff, special_functions, std::erf(x.value_))
  GPU_COUNTED_2(pow, special_functions, std::pow(x.value_, y.value_))
  GPU_COUNTED_2(powf, special_functions, std::pow(x.value_, y.value_))
  GPU_COUNTED_2(fmax, comparisons, std::fmax(x.value_, y.value_))
  GPU_COUNTED_2(fmaxf, comparisons, std::fmax(x.value_, y.value_))
  GPU_COUNTED_2(fmin, comparisons, std::fmin(x.value_, y.value_))
  GPU_COUNTED_2(fminf, comparisons, std::fmin(x.value_, y.value_))
  // Clearing the sign is not a FLOP.
  [[gnu::always_inline]] friend Counting fabs(const Counting& x) {
    return Counting(std::fabs(x.value_));
  }
  [[gnu::always_inline]] friend Counting fabsf(const Counting& x) { return fabs(x); }

  /// One step on memory that other threads use: a load, a store and an addition.
  [[gnu::always_inline]] friend Counting atomicAdd(Counting* address, const Counting& value) {
    tally(&Counts::additions);
    return Counting(::atomicAdd(&address->value_, value.value_));
  }

  // From register to register: no access.
  GPU_COUNTED_SHUFFLE(__shfl_sync, int)
  GPU_COUNTED_SHUFFLE(__shfl_up_sync, unsigned)
  GPU_COUNTED_SHUFFLE(__shfl_down_sync, unsigned)
  GPU_COUNTED_SHUFFLE(__shfl_xor_sync, int)

 private:
  T value_;
};

#undef GPU_COUNTED
#undef GPU_COUNTED_2
#undef GPU_COUNTED_SHUFFLE

/// Device memory of plain numbers, seen by a kernel as counting numbers.
template <std::floating_point T>
Counting<T>* counted(DeviceBuffer<T>& buffer) {
  return reinterpret_cast<Counting<T>*>(buffer.data());
}
template <std::floating_point T>
const Counting<T>* counted(const DeviceBuffer<T>& buffer) {
  return reinterpret_cast<const Counting<T>*>(buffer.data());
}

template <class T>
struct VectorOf<Counting<T>, 2> {
  using type = cpu::Vector2<Counting<T>>;
};
template <class T>
struct VectorOf<Counting<T>, 4> {
  using type = cpu::Vector4<Counting<T>>;
};

}  // namespace gpu
