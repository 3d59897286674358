// SPDX-License-Identifier: MIT
// The properties of a GPU that decide how a kernel's accesses become requests, sectors, hits and
// waves.
#pragma once

#include <cstdint>
#include <string>

namespace vgpu {

/// A machine's sizes. Counts are per multiprocessor (compute unit) unless they say otherwise.
struct Geometry {
  std::string machine;  ///< id of its data file, "h200-sxm"
  int lanes = 32;       ///< per warp
  int multiprocessors = 1;
  int max_threads = 2048;
  int max_blocks = 32;
  std::int64_t registers = 65536;            ///< of 32 bits
  std::int64_t registers_granularity = 256;  ///< a warp gets a multiple of this
  std::int64_t shared_bytes = 0;             ///< for all resident blocks
  std::int64_t shared_bytes_reserved = 0;    ///< reserved by the system for every block
  std::int64_t shared_granularity = 128;     ///< a block gets a multiple of this, in bytes
  std::int64_t l1_bytes = 0;
  /// Shared memory is carved out of the L1 cache: what one uses, the other lacks.
  bool l1_holds_shared = true;
  std::int64_t l2_bytes = 0;  ///< of the whole GPU
  /// Partitions of L2, each of which caches what its own multiprocessors read.
  int l2_partitions = 1;
  int banks = 32;  ///< of shared memory, four bytes wide each
  int sector_bytes = 32;
  int line_bytes = 128;
  /// Bytes that an L2 miss fetches from DRAM, as an aligned block.
  int dram_fetch_bytes = 64;

  bool operator==(const Geometry&) const = default;
};

/// What limits the number of resident blocks.
enum class Limiter { kThreads, kBlocks, kRegisters, kShared, kGrid };

const char* to_string(Limiter limiter);

/// How many blocks of a launch a multiprocessor holds at a time.
struct Occupancy {
  int blocks = 0;  ///< 0: not even one fits
  Limiter limiter = Limiter::kThreads;
  double share = 0;  ///< of the threads that can be resident

  bool operator==(const Occupancy&) const = default;
};

/// @param threads of a block
/// @param shared_bytes of a block, static and dynamic
/// @param registers_per_thread as the GPU's compiler reports them, or assumed
/// @param blocks of the grid
Occupancy occupancy(const Geometry& geometry, int threads, std::int64_t shared_bytes,
                    int registers_per_thread, std::int64_t blocks);

}  // namespace vgpu
