// SPDX-License-Identifier: MIT
// CUDA's atomics: relaxed, and each returns the previous value.
#pragma once

#include <concepts>
#include <type_traits>

#include "gpu/cpu/instrumented.hpp"

namespace gpu::cpu {

template <class T>
concept AtomicInteger =
    std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, long long> ||
    std::same_as<T, unsigned long long> || std::same_as<T, long> || std::same_as<T, unsigned long>;
template <class T>
concept AtomicNumber = AtomicInteger<T> || std::same_as<T, float> || std::same_as<T, double>;

/// Replaces *address by change(old) in one step and returns old.
template <class T, class Change>
GPU_UNINSTRUMENTED T atomic_update(T* address, Change change) {
  T old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  T next = change(old);
  while (
      !__atomic_compare_exchange(address, &old, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    next = change(old);
  }
  return old;
}

/// An integer sum has its own instruction.
template <class T>
GPU_UNINSTRUMENTED T atomic_sum(T* address, T value) {
  if constexpr (AtomicInteger<T>) {
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
  } else {
    return atomic_update(address, [=](T old) { return old + value; });
  }
}

}  // namespace gpu::cpu

// Inlined, so that the checker sees the kernel's own line.
#define GPU_ATOMIC(numbers, name, new_value)                                        \
  template <gpu::cpu::numbers T>                                                    \
  [[gnu::always_inline]] inline T name(T* address, std::type_identity_t<T> value) { \
    gpu::cpu::note_atomic(address, sizeof(T));                                      \
    return gpu::cpu::atomic_update(address, [=](T old) { return T(new_value); });   \
  }
GPU_ATOMIC(AtomicInteger, atomicSub, old - value)
GPU_ATOMIC(AtomicInteger, atomicAnd, old& value)
GPU_ATOMIC(AtomicInteger, atomicOr, old | value)
GPU_ATOMIC(AtomicInteger, atomicXor, old ^ value)
GPU_ATOMIC(AtomicInteger, atomicMin, value < old ? value : old)
GPU_ATOMIC(AtomicInteger, atomicMax, old < value ? value : old)
GPU_ATOMIC(AtomicNumber, atomicExch, (static_cast<void>(old), value))
#undef GPU_ATOMIC

template <gpu::cpu::AtomicNumber T>
[[gnu::always_inline]] inline T atomicAdd(T* address, std::type_identity_t<T> value) {
  gpu::cpu::note_atomic(address, sizeof(T));
  return gpu::cpu::atomic_sum(address, value);
}
template <gpu::cpu::AtomicInteger T>
[[gnu::always_inline]] inline T atomicCAS(T* address, std::type_identity_t<T> expected,
                                          std::type_identity_t<T> value) {
  gpu::cpu::note_atomic(address, sizeof(T));
  return gpu::cpu::atomic_update(address, [=](T old) { return old == expected ? value : old; });
}
[[gnu::always_inline]] inline unsigned atomicInc(unsigned* address, unsigned limit) {
  gpu::cpu::note_atomic(address, sizeof(*address));
  return gpu::cpu::atomic_update(address, [=](unsigned old) { return old >= limit ? 0 : old + 1; });
}

inline void __threadfence() {
  gpu::cpu::fence();
}
inline void __threadfence_block() {
  gpu::cpu::fence();
}
