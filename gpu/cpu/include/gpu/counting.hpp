// SPDX-License-Identifier: MIT
// A number that counts what is done with it: FLOPs, loads, stores, bytes, sectors. CPU backend
// only.
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
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "gpu/buffer.hpp"
#include "gpu/cpu/atomics.hpp"
#include "gpu/cpu/synchronise.hpp"
#include "gpu/cpu/traffic.hpp"
#include "gpu/vector.hpp"

namespace gpu {

/// A T with the size and layout of a T. An operand that lies in device or shared memory is a load,
/// an assignment to one a store; variables of a thread are registers and cost nothing.
template <std::floating_point T>
class Counting {
 public:
  Counting() = default;
  template <class Number>
  requires std::is_arithmetic_v<Number>
  [[gnu::always_inline]] Counting(Number value) : value_(static_cast<T>(value)) {}
  [[gnu::always_inline]] Counting(const Counting& other) : value_(other.load()) {}
  [[gnu::always_inline]] Counting& operator=(const Counting& other) {
    store(other.load());
    return *this;
  }

  /// The plain number; a load if this lies in memory.
  [[gnu::always_inline]] explicit operator T() const { return load(); }

  [[gnu::always_inline]] friend Counting operator+(const Counting& a, const Counting& b) {
    tally(&Counts::additions);
    return a.load() + b.load();
  }
  [[gnu::always_inline]] friend Counting operator-(const Counting& a, const Counting& b) {
    tally(&Counts::additions);
    return a.load() - b.load();
  }
  [[gnu::always_inline]] friend Counting operator*(const Counting& a, const Counting& b) {
    tally(&Counts::multiplications);
    return a.load() * b.load();
  }
  [[gnu::always_inline]] friend Counting operator/(const Counting& a, const Counting& b) {
    tally(&Counts::divisions);
    return a.load() / b.load();
  }
  [[gnu::always_inline]] Counting operator-() const { return -load(); }
  [[gnu::always_inline]] Counting& operator+=(const Counting& b) { return *this = *this + b; }
  [[gnu::always_inline]] Counting& operator-=(const Counting& b) { return *this = *this - b; }
  [[gnu::always_inline]] Counting& operator*=(const Counting& b) { return *this = *this * b; }
  [[gnu::always_inline]] Counting& operator/=(const Counting& b) { return *this = *this / b; }
  [[gnu::always_inline]] friend bool operator==(const Counting& a, const Counting& b) {
    return a.load() == b.load();
  }
  [[gnu::always_inline]] friend auto operator<=>(const Counting& a, const Counting& b) {
    return a.load() <=> b.load();
  }

  /// a*b + c in one step: one fused multiply-add, two FLOPs.
  [[gnu::always_inline]] friend Counting fma(const Counting& a, const Counting& b,
                                             const Counting& c) {
    tally(&Counts::fused_multiply_adds);
    return std::fma(a.load(), b.load(), c.load());
  }

  /// One step on memory that other threads use: a load, a store and an addition.
  [[gnu::always_inline]] friend Counting atomicAdd(Counting* address, const Counting& value) {
    tally(&Counts::additions);
    cpu::note_load(address, sizeof(T));
    cpu::note_store(address, sizeof(T));
    return ::atomicAdd(&address->value_, value.load());
  }

  /// Adds one to a field of the running kernel's counts.
  [[gnu::always_inline]] static void tally(std::uint64_t Counts::*field) {
    if (cpu::running_counts != nullptr) ++(cpu::running_counts->*field);
  }
  /// The value as an operand of a function that has counted itself.
  [[gnu::always_inline]] T load() const {
    cpu::note_load(this, sizeof(T));
    return value_;
  }
  /// The value without counting: for vectors, which count themselves.
  T uncounted() const { return value_; }
  void set_uncounted(T value) { value_ = value; }

 private:
  [[gnu::always_inline]] void store(T value) {
    cpu::note_store(this, sizeof(T));
    value_ = value;
  }

  T value_;
};

/// Device memory of plain numbers, seen as counting ones by a kernel.
template <std::floating_point T>
Counting<T>* counted(DeviceBuffer<T>& buffer) {
  return reinterpret_cast<Counting<T>*>(buffer.data());
}
template <std::floating_point T>
const Counting<T>* counted(const DeviceBuffer<T>& buffer) {
  return reinterpret_cast<const Counting<T>*>(buffer.data());
}

namespace cpu {

/// kWidth counting numbers whose copy is one access, as a float4's is.
template <class T, int kWidth>
struct CountingVectorBase {};
template <class T>
struct alignas(2 * sizeof(T)) CountingVectorBase<T, 2> {
  Counting<T> x, y;
};
template <class T>
struct alignas(4 * sizeof(T)) CountingVectorBase<T, 4> {
  Counting<T> x, y, z, w;
};

template <class T, int kWidth>
struct CountingVector : CountingVectorBase<T, kWidth> {
  CountingVector() = default;
  [[gnu::always_inline]] CountingVector(const CountingVector& other) {
    note_load(&other, sizeof(other));
    copy_from(other);
  }
  [[gnu::always_inline]] CountingVector& operator=(const CountingVector& other) {
    note_load(&other, sizeof(other));
    note_store(this, sizeof(*this));
    copy_from(other);
    return *this;
  }

 private:
  void copy_from(const CountingVector& other) {
    this->x.set_uncounted(other.x.uncounted());
    this->y.set_uncounted(other.y.uncounted());
    if constexpr (kWidth == 4) {
      this->z.set_uncounted(other.z.uncounted());
      this->w.set_uncounted(other.w.uncounted());
    }
  }
};

}  // namespace cpu

template <class T, int kWidth>
struct VectorOf<Counting<T>, kWidth> {
  using type = cpu::CountingVector<T, kWidth>;
};

}  // namespace gpu

// The functions that kernels call without a namespace. Exchanges between lanes cost nothing: the
// numbers go from register to register.
template <class T>
gpu::Counting<T> __shfl_sync(gpu::LaneMask mask, const gpu::Counting<T>& value, int lane,
                             int width = warpSize,
                             gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return __shfl_sync(mask, value.load(), lane, width, where);
}
template <class T>
gpu::Counting<T> __shfl_up_sync(gpu::LaneMask mask, const gpu::Counting<T>& value, unsigned delta,
                                int width = warpSize,
                                gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return __shfl_up_sync(mask, value.load(), delta, width, where);
}
template <class T>
gpu::Counting<T> __shfl_down_sync(gpu::LaneMask mask, const gpu::Counting<T>& value, unsigned delta,
                                  int width = warpSize,
                                  gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return __shfl_down_sync(mask, value.load(), delta, width, where);
}
template <class T>
gpu::Counting<T> __shfl_xor_sync(gpu::LaneMask mask, const gpu::Counting<T>& value, int lane_mask,
                                 int width = warpSize,
                                 gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return __shfl_xor_sync(mask, value.load(), lane_mask, width, where);
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> fmaf(const gpu::Counting<T>& a,
                                                    const gpu::Counting<T>& b,
                                                    const gpu::Counting<T>& c) {
  return fma(a, b, c);
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> sqrt(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::sqrt(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> sqrtf(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::sqrt(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> exp(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::exp(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> expf(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::exp(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> log(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::log(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> logf(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::log(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> sin(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::sin(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> sinf(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::sin(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> cos(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::cos(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> cosf(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::cos(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> tanh(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::tanh(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> tanhf(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::tanh(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> erf(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::erf(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> erff(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::erf(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> __expf(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::exp(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> __logf(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::log(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> rsqrt(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return 1 / std::sqrt(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> rsqrtf(const gpu::Counting<T>& x) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return 1 / std::sqrt(x.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> pow(const gpu::Counting<T>& x,
                                                   const gpu::Counting<T>& y) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::pow(x.load(), y.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> powf(const gpu::Counting<T>& x,
                                                    const gpu::Counting<T>& y) {
  gpu::Counting<T>::tally(&gpu::Counts::special_functions);
  return std::pow(x.load(), y.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> fmax(const gpu::Counting<T>& x,
                                                    const gpu::Counting<T>& y) {
  gpu::Counting<T>::tally(&gpu::Counts::comparisons);
  return std::fmax(x.load(), y.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> fmaxf(const gpu::Counting<T>& x,
                                                     const gpu::Counting<T>& y) {
  gpu::Counting<T>::tally(&gpu::Counts::comparisons);
  return std::fmax(x.load(), y.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> fmin(const gpu::Counting<T>& x,
                                                    const gpu::Counting<T>& y) {
  gpu::Counting<T>::tally(&gpu::Counts::comparisons);
  return std::fmin(x.load(), y.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> fminf(const gpu::Counting<T>& x,
                                                     const gpu::Counting<T>& y) {
  gpu::Counting<T>::tally(&gpu::Counts::comparisons);
  return std::fmin(x.load(), y.load());
}
template <class T>
[[gnu::always_inline]] inline gpu::Counting<T> fabsf(const gpu::Counting<T>& x) {
  return std::fabs(x.load());  // clearing the sign is no FLOP
}
