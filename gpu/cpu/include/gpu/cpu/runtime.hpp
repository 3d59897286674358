// SPDX-License-Identifier: MIT
// What kernels and launches on the CPU need from the compiled library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gpu/cpu/thread_index.hpp"
#include "gpu/location.hpp"
#include "gpu/stream.hpp"

namespace gpu::cpu {

/// One launch, with the kernel and its arguments type-erased.
struct KernelLaunch {
  dim3 grid, block;
  std::size_t shared_bytes;
  int warp_width;  ///< 32, 64, or 0 for ROOFLINE_WARP_WIDTH (default 32)
  std::string_view name;
  SourceLocation where;
  /// Runs the kernel for the threads from threadIdx up to thread_limit.
  void (*run_threads)(const void* arguments);
  const void* arguments;
  std::size_t arguments_bytes;
};

/// A run of blocks, in linear order.
struct BlockRange {
  std::int64_t begin, end;
};

/// Runs all blocks on all cores and returns when they are done. Throws gpu::Error for a launch that
/// no GPU could make, and passes on what a kernel threw.
void run(const KernelLaunch& launch);

/// The same; but if the stream is recording a graph, adds a copy of the launch to its list instead.
void launch(StreamRef stream, const KernelLaunch& launch);

/// Operations that the lanes of a warp perform together.
enum class WarpOperation { kSync, kShuffle, kVote, kWhoIsHere };

/// Waits for all threads of the block. Returns the number of threads whose predicate held.
int block_barrier(bool predicate, SourceLocation where);
/// Waits for the lanes in `mask`. kShuffle returns the `value` of lane `source`, kVote the mask of
/// lanes whose value was not 0. kWhoIsHere waits until no lane of the warp can go on, and returns
/// the mask of those that wait in the same place.
std::uint64_t warp_collective(std::uint64_t mask, WarpOperation operation, std::uint64_t value,
                              int source, SourceLocation where);
/// The thread's place in its warp.
int lane_index() noexcept;

/// Start of this block's dynamic shared memory.
void* dynamic_shared_memory() noexcept;

}  // namespace gpu::cpu
