// SPDX-License-Identifier: MIT
// What one thread moves or computes in one instruction on a CPU: one vector register.
#pragma once

#include <cstddef>

#include "gpu/cpu/streaming.hpp"
#include "gpu/pack.hpp"

namespace roofline::measure {

inline constexpr std::size_t kLaneBytes = gpu::kPackBytes;

template <class T>
struct LaneOf {
  typedef T type __attribute__((vector_size(kLaneBytes), may_alias));
};
/// A vector register of T; + and * work on all of its elements.
template <class T>
using Lane = typename LaneOf<T>::type;
template <class T>
inline constexpr int kLaneWidth = static_cast<int>(kLaneBytes / sizeof(T));

/// The unit of the FMA kernels: also one register.
template <class T>
using ComputeLane = Lane<T>;
template <class T>
inline constexpr int kComputeWidth = kLaneWidth<T>;

/// A CPU thread walks through its own contiguous memory; adjacent GPU threads share cache lines.
inline constexpr bool kContiguousThreads = true;

template <class L, class T>
inline L splat(T value) {
  return L{} + value;
}

template <class L>
inline L multiply_add(const L& x, const L& a, const L& b) {
  return x * a + b;
}

template <class L>
inline auto element(const L& lane, int index) {
  return lane[index];
}

template <class L>
inline void store(L* where, const L& value) {
  *where = value;
}

/// Whether store_streaming() differs from store() on this machine.
using gpu::cpu::kHasStreamingStore;
using gpu::cpu::store_streaming;

}  // namespace roofline::measure
