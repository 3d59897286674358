// SPDX-License-Identifier: MIT
// CUDA's atomics: relaxed, and each returns the value from before.
#pragma once

#include <atomic>
#include <concepts>
#include <type_traits>

namespace gpu::cpu {

template <class T>
concept AtomicInteger =
    std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, long long> ||
    std::same_as<T, unsigned long long> || std::same_as<T, long> || std::same_as<T, unsigned long>;
template <class T>
concept AtomicNumber = AtomicInteger<T> || std::same_as<T, float> || std::same_as<T, double>;

/// Replaces *address by change(old) in one step and returns old.
template <class T, class Change>
T atomic_update(T* address, Change change) {
  std::atomic_ref<T> reference(*address);
  T old = reference.load(std::memory_order_relaxed);
  while (!reference.compare_exchange_weak(old, change(old), std::memory_order_relaxed)) {
  }
  return old;
}

}  // namespace gpu::cpu

template <gpu::cpu::AtomicNumber T>
T atomicAdd(T* address, std::type_identity_t<T> value) {
  return std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_relaxed);
}
template <gpu::cpu::AtomicInteger T>
T atomicSub(T* address, std::type_identity_t<T> value) {
  return std::atomic_ref<T>(*address).fetch_sub(value, std::memory_order_relaxed);
}
template <gpu::cpu::AtomicInteger T>
T atomicAnd(T* address, std::type_identity_t<T> value) {
  return std::atomic_ref<T>(*address).fetch_and(value, std::memory_order_relaxed);
}
template <gpu::cpu::AtomicInteger T>
T atomicOr(T* address, std::type_identity_t<T> value) {
  return std::atomic_ref<T>(*address).fetch_or(value, std::memory_order_relaxed);
}
template <gpu::cpu::AtomicInteger T>
T atomicXor(T* address, std::type_identity_t<T> value) {
  return std::atomic_ref<T>(*address).fetch_xor(value, std::memory_order_relaxed);
}
template <gpu::cpu::AtomicInteger T>
T atomicMin(T* address, std::type_identity_t<T> value) {
  return gpu::cpu::atomic_update(address, [=](T old) { return value < old ? value : old; });
}
template <gpu::cpu::AtomicInteger T>
T atomicMax(T* address, std::type_identity_t<T> value) {
  return gpu::cpu::atomic_update(address, [=](T old) { return old < value ? value : old; });
}
template <gpu::cpu::AtomicNumber T>
T atomicExch(T* address, std::type_identity_t<T> value) {
  return std::atomic_ref<T>(*address).exchange(value, std::memory_order_relaxed);
}
template <gpu::cpu::AtomicInteger T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  std::atomic_ref<T>(*address).compare_exchange_strong(expected, value, std::memory_order_relaxed);
  return expected;
}
inline unsigned atomicInc(unsigned* address, unsigned limit) {
  return gpu::cpu::atomic_update(address, [=](unsigned old) { return old >= limit ? 0 : old + 1; });
}

inline void __threadfence() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
inline void __threadfence_block() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
