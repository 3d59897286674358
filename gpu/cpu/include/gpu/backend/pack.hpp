// SPDX-License-Identifier: MIT
// Packs on a CPU: one vector register of float or double; counting numbers one by one.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "gpu/cpu/streaming.hpp"
#include "gpu/kernel.hpp"

namespace gpu {

#if defined(__AVX512F__)
inline constexpr std::size_t kPackBytes = 64;
#elif defined(__AVX__)
inline constexpr std::size_t kPackBytes = 32;
#else
inline constexpr std::size_t kPackBytes = 16;
#endif

/// kWidth numbers next to one another.
template <class T>
struct Pack {
  static constexpr int kWidth = static_cast<int>(kPackBytes / sizeof(T));

  Pack() = default;
  /// By value: an operand in memory is loaded once, and not once for every item.
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

/// A register of kWidth plain numbers; the compiler knows how to compute on it.
template <class T>
class RegisterPack {
 public:
  static constexpr int kWidth = static_cast<int>(kPackBytes / sizeof(T));
  using Register = typename RegisterOf<T>::type;

  RegisterPack() = default;
  /// x - 0 is x for every x, so this is one broadcast; 0 + x is not, for x = -0.
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

/// kPackWidth<T> numbers from `from` on. A GPU needs the address to be a multiple of their size.
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

/// The same to memory.
template <class T>
[[gnu::always_inline]] inline void store_pack(T* to, const Pack<T>& pack) {
  if constexpr (requires { pack.items(); }) {
    std::memcpy(to, &pack.items(), sizeof(pack.items()));
  } else {
    for (int i = 0; i < Pack<T>::kWidth; ++i) to[i] = pack[i];
  }
}

/// The same to memory that is not read again soon: past the caches, so that the line is not fetched
/// first. The address must be a multiple of the pack's size, see is_pack_aligned().
template <class T>
[[gnu::always_inline]] inline void store_pack_streaming(T* to, const Pack<T>& pack) {
  if constexpr (requires { pack.items(); }) {
    using Register = std::remove_cvref_t<decltype(pack.items())>;
    cpu::store_streaming(reinterpret_cast<Register*>(to), pack.items());
  } else {
    store_pack(to, pack);
  }
}

/// Asks for the line of an address that will be read soon; it may lie behind the buffer's end. A
/// core follows few streams by itself.
template <class T>
[[gnu::always_inline]] inline void prefetch(const T* address) {
  __builtin_prefetch(address);
}

}  // namespace gpu
