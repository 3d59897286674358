// SPDX-License-Identifier: MIT
// Barriers, shuffles, votes and dynamic shared memory.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gpu/cpu/runtime.hpp"

namespace gpu {

/// One bit per lane of a warp, which may be 64 wide.
using LaneMask = unsigned long long;
/// All lanes of a warp, whatever its width.
inline constexpr LaneMask kFullMask = ~0ull;

/// Number of set bits of a lane mask.
inline int lane_count(LaneMask mask) {
  return std::popcount(mask);
}

/// The launch's dynamic shared memory, LaunchConfig::shared_bytes long and 16-byte aligned. Plain
/// `extern __shared__` cannot be expressed on a CPU, so portable kernels call this.
template <class T>
T* dynamic_shared() {
  return static_cast<T*>(cpu::dynamic_shared_memory());
}

namespace cpu {

template <class T>
T shuffle(LaneMask mask, T value, int source, SourceLocation where) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t),
                "a shuffle moves at most 8 bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  bits = warp_collective(mask, WarpOperation::kShuffle, bits, source, where);
  std::memcpy(&value, &bits, sizeof(T));
  return value;
}

}  // namespace cpu
}  // namespace gpu

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names
inline void __syncthreads(gpu::SourceLocation where = gpu::SourceLocation::current()) {
  gpu::cpu::block_barrier(false, where);
}
inline int __syncthreads_count(int predicate,
                               gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return gpu::cpu::block_barrier(predicate != 0, where);
}
inline int __syncthreads_or(int predicate,
                            gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return gpu::cpu::block_barrier(predicate != 0, where) != 0;
}
inline int __syncthreads_and(int predicate,
                             gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return gpu::cpu::block_barrier(predicate == 0, where) == 0;
}
inline void __syncwarp(gpu::LaneMask mask = gpu::kFullMask,
                       gpu::SourceLocation where = gpu::SourceLocation::current()) {
  gpu::cpu::warp_collective(mask, gpu::cpu::WarpOperation::kSync, 0, 0, where);
}
template <class T>
T __shfl_sync(gpu::LaneMask mask, T value, int lane, int width = warpSize,
              gpu::SourceLocation where = gpu::SourceLocation::current()) {
  const int first = gpu::cpu::lane_index() & ~(width - 1);
  return gpu::cpu::shuffle(mask, value, first + (lane & (width - 1)), where);
}
template <class T>
T __shfl_up_sync(gpu::LaneMask mask, T value, unsigned delta, int width = warpSize,
                 gpu::SourceLocation where = gpu::SourceLocation::current()) {
  const int lane = gpu::cpu::lane_index();
  const int source = lane - static_cast<int>(delta);
  return gpu::cpu::shuffle(mask, value, source < (lane & ~(width - 1)) ? lane : source, where);
}
template <class T>
T __shfl_down_sync(gpu::LaneMask mask, T value, unsigned delta, int width = warpSize,
                   gpu::SourceLocation where = gpu::SourceLocation::current()) {
  const int lane = gpu::cpu::lane_index();
  const int source = lane + static_cast<int>(delta);
  return gpu::cpu::shuffle(mask, value, source > (lane | (width - 1)) ? lane : source, where);
}
template <class T>
T __shfl_xor_sync(gpu::LaneMask mask, T value, int lane_mask, int width = warpSize,
                  gpu::SourceLocation where = gpu::SourceLocation::current()) {
  const int lane = gpu::cpu::lane_index();
  const int source = lane ^ lane_mask;
  return gpu::cpu::shuffle(mask, value, source > (lane | (width - 1)) ? lane : source, where);
}
inline gpu::LaneMask __ballot_sync(gpu::LaneMask mask, int predicate,
                                   gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return gpu::cpu::warp_collective(mask, gpu::cpu::WarpOperation::kVote, predicate != 0, 0, where);
}
inline int __any_sync(gpu::LaneMask mask, int predicate,
                      gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return __ballot_sync(mask, predicate, where) != 0;
}
inline int __all_sync(gpu::LaneMask mask, int predicate,
                      gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return __ballot_sync(mask, predicate == 0, where) == 0;
}
inline gpu::LaneMask __activemask(gpu::SourceLocation where = gpu::SourceLocation::current()) {
  return gpu::cpu::warp_collective(gpu::kFullMask, gpu::cpu::WarpOperation::kWhoIsHere, 0, 0,
                                   where);
}
// NOLINTEND(bugprone-reserved-identifier)
