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

#include <compare>
#include <concepts>
#include <limits>
#include <type_traits>

#include "gpu/buffer.hpp"
#include "gpu/counts.hpp"
#include "gpu/cpu/half.hpp"
#include "gpu/cpu/vectors.hpp"
#include "gpu/vector.hpp"

/// Counting numbers and their functions have a namespace of their own: a call finds the functions
/// by its argument, and other code does not pick them up by accident.
namespace gpu::counting {

// Everything is inlined, so that an operand is read where the kernel's source names it.

template <std::floating_point T>
class Counting;

template <class Number>
struct PlainType {
  using Type = Number;
  static constexpr bool kCounts = false;
};
template <class T>
struct PlainType<Counting<T>> {
  using Type = T;
  static constexpr bool kCounts = true;
};
/// The plain type of a number that may be a counting one.
template <class Number>
using Plain = typename PlainType<std::remove_cv_t<Number>>::Type;

/// A plain number, or one that counts.
template <class Number>
concept AnyNumber = std::is_arithmetic_v<Plain<Number>>;
/// Operands of which at least one counts.
template <class... Number>
concept Counted = (AnyNumber<Number> && ...) &&
                  (PlainType<std::remove_cv_t<Number>>::kCounts || ...);
/// The plain type of the result of an operator on these operands. Other operands have no such type:
/// asking for it would look up the operator again, endlessly.
template <class... Number>
struct CommonType {};
template <class... Number>
requires(AnyNumber<Number>&&...) struct CommonType<Number...> {
  using Type = decltype((Plain<Number>() + ... + 0));
};
template <class... Number>
using Common = typename CommonType<Number...>::Type;

/// A class type that converts to float, such as a 16-bit number.
template <class Number>
concept ConvertsToFloat = std::is_class_v<Number> && std::convertible_to<Number, float>;

/// A number with the size and layout of a T. Mixed with a plain number it gives what a T would, and
/// counts. C++ cannot count what happens to a plain number made from it, so that conversion must be
/// explicit, `static_cast<float>(x)`, and is itself counted.
template <std::floating_point T>
class Counting {
 public:
  GPU_STARTS_UNWRITTEN(Counting, value_)
  template <class Number>
  requires std::is_arithmetic_v<Number> || ConvertsToFloat<Number>
  [[gnu::always_inline]] constexpr Counting(Number value) : value_(static_cast<T>(value)) {}
  template <class Other>
  [[gnu::always_inline]] Counting(const Counting<Other>& other)
      : value_(static_cast<T>(value_of(other))) {}

  GPU_COPIED_AS_ONE(Counting)
  [[gnu::always_inline]] Counting(const volatile Counting& other) : value_(other.value_) {}
  [[gnu::always_inline]] Counting& operator=(const volatile Counting& other) {
    value_ = other.value_;
    return *this;
  }
  [[gnu::always_inline]] void operator=(const Counting& other) volatile { value_ = other.value_; }
  [[gnu::always_inline]] void operator=(const volatile Counting& other) volatile {
    value_ = other.value_;
  }

  /// The plain number; operations on it are no longer counted.
  template <class Number>
  requires std::is_arithmetic_v<Number> || cpu::SixteenBit<Number>
  [[gnu::always_inline]] explicit operator Number() const {
    tally(&Counts::conversions);
    return static_cast<Number>(value_);
  }
  [[gnu::always_inline]] explicit operator bool() const { return value_ != 0; }

  [[gnu::always_inline]] Counting& operator++() { return *this += 1; }
  [[gnu::always_inline]] Counting& operator--() { return *this -= 1; }
  [[gnu::always_inline]] Counting operator++(int) {
    const Counting old(*this);
    *this += 1;
    return old;
  }
  [[gnu::always_inline]] Counting operator--(int) {
    const Counting old(*this);
    *this -= 1;
    return old;
  }

  /// The value without counting, for the functions of this header.
  [[gnu::always_inline]] friend T value_of(const volatile Counting& x) { return x.value_; }
  [[gnu::always_inline]] friend T* place_of(Counting* x) { return &x->value_; }

 private:
  T value_;
};

template <class Number>
requires std::is_arithmetic_v<Number>
[[gnu::always_inline]] inline Number value_of(const volatile Number& x) {
  return x;
}

#define GPU_OPERATOR(sign, field)                                                              \
  template <class A, class B>                                                                  \
  requires Counted<A, B>                                                                       \
  [[gnu::always_inline]] inline Counting<Common<A, B>> operator sign(const A& a, const B& b) { \
    using T = Common<A, B>;                                                                    \
    tally(&Counts::field);                                                                     \
    return Counting<T>(static_cast<T>(value_of(a)) sign static_cast<T>(value_of(b)));          \
  }                                                                                            \
  template <class T, class B>                                                                  \
  requires AnyNumber<B>                                                                        \
  [[gnu::always_inline]] inline Counting<T>& operator sign##=(Counting<T>& a, const B& b) {    \
    return a = a sign b;                                                                       \
  }                                                                                            \
  template <class T, class B>                                                                  \
  requires AnyNumber<B>                                                                        \
  [[gnu::always_inline]] inline void operator sign##=(volatile Counting<T>& a, const B& b) {   \
    a = a sign b;                                                                              \
  }                                                                                            \
  /* A sum that is plain, such as one in double. */                                            \
  template <class Number, class T>                                                             \
  requires std::is_arithmetic_v<Number>                                                        \
  [[gnu::always_inline]] inline Number& operator sign##=(Number& a, const Counting<T>& b) {    \
    return a = static_cast<Number>(a sign b);                                                  \
  }
GPU_OPERATOR(+, additions)
GPU_OPERATOR(-, additions)
GPU_OPERATOR(*, multiplications)
GPU_OPERATOR(/, divisions)
#undef GPU_OPERATOR

template <class T>
[[gnu::always_inline]] inline Counting<T> operator-(const Counting<T>& x) {
  return Counting<T>(-value_of(x));
}
template <class T>
[[gnu::always_inline]] inline Counting<T> operator+(const Counting<T>& x) {
  return x;
}
template <class A, class B>
requires Counted<A, B>
[[gnu::always_inline]] inline bool operator==(const A& a, const B& b) {
  return static_cast<Common<A, B>>(value_of(a)) == static_cast<Common<A, B>>(value_of(b));
}
template <class A, class B>
requires Counted<A, B>
[[gnu::always_inline]] inline std::partial_ordering operator<=>(const A& a, const B& b) {
  return static_cast<Common<A, B>>(value_of(a)) <=> static_cast<Common<A, B>>(value_of(b));
}

}  // namespace gpu::counting

namespace gpu {

using counting::Counting;

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

#include "gpu/counting_functions.hpp"
