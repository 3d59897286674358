// SPDX-License-Identifier: MIT
// What checked kernels did, as counted by running them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace gpu {

/// What kernels did in terms of their source: the same with every compiler and processor.
///
/// An access is any read or write of device or shared memory in the source, whatever its type. A
/// thread's own variables and the kernel's parameters are registers and cost nothing. Reading an
/// element again costs nothing either while the thread still has it: it must be among the last
/// kRegisters accesses that the thread read, and since then the thread has stored nothing, done no
/// atomic operation, and met no other thread.
struct Counts {
  /// Loads that a thread remembers: about as many values as compilers keep in registers for a
  /// kernel.
  static constexpr int kRegisters = 8;

  // Arithmetic on gpu::Counting numbers.
  std::uint64_t additions = 0;  ///< and subtractions
  std::uint64_t multiplications = 0;
  std::uint64_t fused_multiply_adds = 0;
  std::uint64_t divisions = 0;
  std::uint64_t special_functions = 0;  ///< square roots, exponentials, and so on
  std::uint64_t comparisons = 0;        ///< minima and maxima
  /// Conversions to plain numbers, whose arithmetic is not counted.
  std::uint64_t conversions = 0;

  /// Multiply-adds of matrix instructions, whatever their numbers.
  std::uint64_t matrix_products = 0;
  /// Additions, multiplications, and two for each multiply-add, of floating-point numbers of any
  /// type: by the kernels' machine code.
  std::uint64_t executed_flops = 0;

  // Device memory, of all types.
  std::uint64_t loads = 0, stores = 0;  ///< accesses by threads; an atomic is one of each
  std::uint64_t bytes_loaded = 0, bytes_stored = 0;
  std::uint64_t distinct_bytes_loaded = 0, distinct_bytes_stored = 0;
  std::uint64_t warp_loads = 0, warp_stores = 0;         ///< accesses by warps
  std::uint64_t sectors_loaded = 0, sectors_stored = 0;  ///< 32-byte sectors, once per warp access

  // Shared memory.
  std::uint64_t shared_loads = 0, shared_stores = 0;
  std::uint64_t shared_bytes_loaded = 0, shared_bytes_stored = 0;

  std::uint64_t launches = 0;
  /// Launches that were recorded in a graph, and those of `launches` that a graph replayed.
  std::uint64_t launches_recorded = 0, launches_replayed = 0;
  /// Of all launches.
  std::uint64_t argument_bytes = 0;
  /// Bytes that kernels stored in variables at file scope, which host code can read on a CPU.
  std::uint64_t bytes_stored_in_variables = 0;
  /// By the host, between its memory and the device's; to the device with __constant__ variables.
  std::uint64_t bytes_to_host = 0, bytes_to_device = 0;

  /// Additions, multiplications, and two for each fused multiply-add.
  std::uint64_t flops() const { return additions + multiplications + 2 * fused_multiply_adds; }
  /// Bytes that must move if everything is read once and written once.
  std::uint64_t compulsory_bytes() const { return distinct_bytes_loaded + distinct_bytes_stored; }
  /// FLOPs per compulsory byte.
  double flops_per_byte() const {
    return static_cast<double>(flops()) / static_cast<double>(compulsory_bytes());
  }
  /// Bytes requested per byte of the sectors that contain them: 1 is perfectly coalesced.
  double coalescing() const {
    constexpr double kSectorBytes = 32;
    return static_cast<double>(bytes_loaded + bytes_stored) /
           (kSectorBytes * static_cast<double>(sectors_loaded + sectors_stored));
  }

  bool operator==(const Counts&) const = default;
};

/// One buffer's share of Counts.
struct BufferTraffic {
  std::uint64_t bytes_loaded = 0, bytes_stored = 0;
};
/// By buffer name, for buffers that have one: the arguments of a function, named as in errors.
using TrafficByName = std::map<std::string, BufferTraffic>;

/// Runs `launches` and counts what checked kernels do in it. Blocks run one after the other, so the
/// counts are the same each time.
Counts count(const std::function<void()>& launches, TrafficByName* by_name = nullptr);

/// Adds one to a field of what count() counts, if it is running a kernel.
void tally(std::uint64_t Counts::*field);

}  // namespace gpu
