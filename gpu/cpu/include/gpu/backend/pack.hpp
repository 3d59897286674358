// SPDX-License-Identifier: MIT
// Packs on a CPU: one vector register of float or double; counting numbers are handled one by one.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "gpu/cpu/instrumented.hpp"
#include "gpu/cpu/streaming.hpp"
#include "gpu/kernel.hpp"

namespace gpu {

#if defined(__AVX512F__)
inline constexpr std::size_t kRegisterBytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t kRegisterBytes = 32;
#else
inline constexpr std::size_t kRegisterBytes = 16;
#endif
/// Checked kernels use packs of a GPU's size on every processor.
inline constexpr std::size_t kPackBytes = cpu::kInstrumented ? 16 : kRegisterBytes;

/// kWidth adjacent numbers.
template <class T>
struct Pack {
  static constexpr int kWidth = static_cast<int>(kPackBytes / sizeof(T));

  Pack() = default;
  /// By value, so that an operand in memory is loaded once rather than once per item.
  [[gnu::always_inline]] explicit Pack(T value) {
    for (T& item : items_) item = value;
  }
  [[gnu::always_inline]] T& operator[](int i) { return items_[i]; }
  [[gnu::always_inline]] const T& operator[](int i) const { return items_[i]; }

 private:
  T items_[kWidth];
};

namespace cpu {

template <class T>
struct RegisterOf {
  typedef T type __attribute__((vector_size(kPackBytes)));
};

/// A vector register of kWidth plain numbers, with the compiler's own arithmetic.
template <class T>
class RegisterPack {
 public:
  static constexpr int kWidth = static_cast<int>(kPackBytes / sizeof(T));
  using Register = typename RegisterOf<T>::type;

  RegisterPack() = default;
  /// x - 0 is x for every x, so this compiles to one broadcast; 0 + x is not x for x = -0.
  [[gnu::always_inline]] explicit RegisterPack(T value) : items_(value - Register{}) {}
  [[gnu::always_inline]] T operator[](int i) const { return items_[i]; }
  [[gnu::always_inline]] T& operator[](int i) { return reinterpret_cast<T*>(&items_)[i]; }
  [[gnu::always_inline]] Register& items() { return items_; }
  [[gnu::always_inline]] const Register& items() const { return items_; }

 private:
  Register items_;
};

}  // namespace cpu

template <>
struct Pack<float> : cpu::RegisterPack<float> {
  using RegisterPack::RegisterPack;

  [[gnu::always_inline]] static Pack of(Register items) {
    Pack pack;
    pack.items() = items;
    return pack;
  }
};
template <>
struct Pack<double> : cpu::RegisterPack<double> {
  using RegisterPack::RegisterPack;
};

/// a*x + b, number by number.
template <class T>
[[gnu::always_inline]] inline Pack<T> multiply_add(const Pack<T>& a, const Pack<T>& x,
                                                   const Pack<T>& b) {
  Pack<T> result;
  if constexpr (requires { a.items(); }) {
    result.items() = a.items() * x.items() + b.items();
  } else {
    for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = fma(a[i], x[i], b[i]);
  }
  return result;
}

template <class T>
[[gnu::always_inline]] inline Pack<T> operator+(const Pack<T>& x, const Pack<T>& y) {
  Pack<T> result;
  if constexpr (requires { x.items(); }) {
    result.items() = x.items() + y.items();
  } else {
    for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = x[i] + y[i];
  }
  return result;
}

template <class T>
[[gnu::always_inline]] inline Pack<T> operator*(const Pack<T>& x, const Pack<T>& y) {
  Pack<T> result;
  if constexpr (requires { x.items(); }) {
    result.items() = x.items() * y.items();
  } else {
    for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = x[i] * y[i];
  }
  return result;
}

/// x - y, number by number.
template <class T>
[[gnu::always_inline]] inline Pack<T> operator-(const Pack<T>& x, const Pack<T>& y) {
  Pack<T> result;
  if constexpr (requires { x.items(); }) {
    result.items() = x.items() - y.items();
  } else {
    for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = x[i] - y[i];
  }
  return result;
}

/// The larger of each pair of numbers.
template <class T>
[[gnu::always_inline]] inline Pack<T> fmaxf(const Pack<T>& x, const Pack<T>& y) {
  using ::fmaxf;
  Pack<T> result;
  if constexpr (requires { x.items(); }) {
    const auto larger = x.items() > y.items() ? x.items() : y.items();
    result.items() = y.items() == y.items() ? larger : x.items();  // if one is NaN, the other
  } else {
    for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = fmaxf(x[i], y[i]);
  }
  return result;
}

namespace cpu {

/// The numbers first, first + 1, ... of a register, as many as kItems has.
template <int kFirst, int... kItems, class Register>
[[gnu::always_inline]] inline auto part_of(Register from, std::integer_sequence<int, kItems...>) {
  return __builtin_shufflevector(from, from, (kFirst + kItems)...);
}

/// Adds the upper half to the lower, in registers, until two numbers are left.
template <int kWidth, class Register>
[[gnu::always_inline]] inline auto sum_of_register(Register from) {
  if constexpr (kWidth == 2) {
    return from[0] + from[1];
  } else {
    constexpr std::make_integer_sequence<int, kWidth / 2> kHalf;
    return sum_of_register<kWidth / 2>(part_of<0>(from, kHalf) + part_of<kWidth / 2>(from, kHalf));
  }
}

}  // namespace cpu

/// Sum of the numbers of a pack.
template <class T>
[[gnu::always_inline]] inline T sum_of(const Pack<T>& pack) {
  if constexpr (requires { pack.items(); }) {
    return cpu::sum_of_register<Pack<T>::kWidth>(pack.items());
  } else {
    T sums[Pack<T>::kWidth];
    for (int i = 0; i < Pack<T>::kWidth; ++i) sums[i] = pack[i];
    for (int width = Pack<T>::kWidth / 2; width > 0; width /= 2) {
      for (int i = 0; i < width; ++i) sums[i] += sums[i + width];
    }
    return sums[0];
  }
}

namespace cpu {

/// x, clamped to the limits; NaN stays NaN.
[[gnu::always_inline]] inline Pack<float> limited(const Pack<float>& x, float low, float high) {
  using Register = Pack<float>::Register;
  const Register above = x.items() < low ? Register{} + low : x.items();
  return Pack<float>::of(above > high ? Register{} + high : above);
}

/// x rounded to a whole number, for |x| below 2^22.
[[gnu::always_inline]] inline Pack<float> rounded(const Pack<float>& x) {
  const Pack<float> large(12582912.0f);  // at this magnitude a float has no fraction bits
  return x + large - large;
}

/// 2^(whole + part) for whole numbers from -127 (zero) to 128 (infinity) and parts of up to a half.
[[gnu::always_inline]] inline Pack<float> exp2_of(const Pack<float>& whole,
                                                  const Pack<float>& part) {
  // Interpolates 2^part at Chebyshev nodes; with FP32 rounding the error is below 7e-8.
  Pack<float> power(0.000154531634f);
  for (const float coefficient :
       {0.00133908633f, 0.00961808302f, 0.0555035695f, 0.240226507f, 0.693147182f, 1.0f}) {
    power = multiply_add(power, part, Pack<float>(coefficient));
  }
  typedef int Bits __attribute__((vector_size(kPackBytes)));
  const Bits exponent = __builtin_convertvector(whole.items(), Bits) + 127;
  return power * Pack<float>::of((Pack<float>::Register)(exponent << 23));
}

}  // namespace cpu

/// 2 to the power of each number.
[[gnu::always_inline]] inline Pack<float> exp2f(const Pack<float>& x) {
  const Pack<float> power = cpu::limited(x, -127, 128);
  const Pack<float> whole = cpu::rounded(power);
  return cpu::exp2_of(whole, power - whole);
}

/// e to the power of each number.
template <class T>
[[gnu::always_inline]] inline Pack<T> expf(const Pack<T>& x) {
  using ::expf;
  Pack<T> result;
  for (int i = 0; i < Pack<T>::kWidth; ++i) result[i] = expf(x[i]);
  return result;
}
template <>
[[gnu::always_inline]] inline Pack<float> expf(const Pack<float>& x) {
  const Pack<float> power = cpu::limited(x, -88.02969f, 88.72284f);  // -127 ln 2 and 128 ln 2
  // log2 e in two parts: the first alone would be off by 1.3e-8 times x.
  const Pack<float> log2_e(1.44269502f);
  const Pack<float> whole = cpu::rounded(power * log2_e);
  const Pack<float> part = multiply_add(power, log2_e, Pack<float>(0.0f) - whole);
  return cpu::exp2_of(whole, multiply_add(power, Pack<float>(1.92596303e-08f), part));
}

/// Loads kPackWidth<T> numbers starting at `from`. A GPU requires an address that is a multiple of
/// their size.
template <class T>
[[gnu::always_inline]] inline Pack<T> load_pack(const T* from) {
  Pack<T> pack;
  if constexpr (requires { pack.items(); }) {
    std::memcpy(&pack.items(), from, sizeof(pack.items()));
  } else {
    for (int i = 0; i < Pack<T>::kWidth; ++i) pack[i] = from[i];
  }
  return pack;
}

/// Stores them likewise.
template <class T>
[[gnu::always_inline]] inline void store_pack(T* to, const Pack<T>& pack) {
  if constexpr (requires { pack.items(); }) {
    std::memcpy(to, &pack.items(), sizeof(pack.items()));
  } else {
    for (int i = 0; i < Pack<T>::kWidth; ++i) to[i] = pack[i];
  }
}

/// A non-temporal store, for memory that is not read again soon: the line is not fetched first. The
/// address must be a multiple of the pack's size, see is_pack_aligned().
template <class T>
[[gnu::always_inline]] inline void store_pack_streaming(T* to, const Pack<T>& pack) {
  if constexpr (requires { pack.items(); }) {
    using Register = std::remove_cvref_t<decltype(pack.items())>;
    cpu::store_streaming(reinterpret_cast<Register*>(to), pack.items());
  } else {
    store_pack(to, pack);
  }
}

/// Prefetches the line of an address that will be read soon; the address may be past the buffer's
/// end. A core's own prefetcher follows only a few streams.
template <class T>
[[gnu::always_inline]] inline void prefetch(const T* address) {
  __builtin_prefetch(address);
}

}  // namespace gpu
