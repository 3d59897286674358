// SPDX-License-Identifier: MIT
// The properties of a GPU's multiprocessors and caches that determine a kernel's traffic and time:
// the virtual GPU's sizes, and the rates and latencies of the time model.
#pragma once

#include <cstdint>

#include "roofline/provenance.hpp"

namespace roofline {

/// Counts and rates are per multiprocessor (AMD: compute unit) unless they say otherwise.
struct Multiprocessor {
  int count = 1;  ///< of the GPU
  int lanes = 32;
  double clock_hz = 0;
  double instructions_per_clock = 0;  ///< of warps
  double dependent_clocks = 0;        ///< until a result of plain arithmetic can be used
  double special_per_clock = 0;       ///< lanes: reciprocals, square roots, exponentials ...
  double start_seconds = 0;           ///< of a launch, seen on the GPU, besides its blocks' time
  Provenance provenance;

  /// What limits the number of resident blocks.
  struct Resident {
    int max_threads = 0;
    int max_blocks = 0;
    std::int64_t registers = 0;              ///< of 32 bits
    std::int64_t registers_granularity = 1;  ///< a warp gets a multiple of this
    Provenance provenance;
  } resident;

  struct Shared {
    std::int64_t bytes = 0;        ///< for all resident blocks
    std::int64_t reserved = 0;     ///< bytes reserved of them for every block
    std::int64_t granularity = 1;  ///< a block gets a multiple of this, in bytes
    int banks = 32;                ///< four bytes wide, one access per clock
    Provenance provenance;
  } shared;

  struct L1 {
    std::int64_t bytes = 0;
    bool holds_shared = false;  ///< shared memory is a part of it
    double bytes_per_clock = 0;
    int sector_bytes = 0;
    int line_bytes = 0;
    double latency_seconds = 0;
    Provenance provenance;
  } l1;

  struct L2 {
    int partitions = 1;          ///< per GPU; each caches what its own multiprocessors read
    double bytes_per_clock = 0;  ///< of the whole GPU
    double latency_seconds = 0;
    Provenance provenance;
  } l2;

  struct Dram {
    int fetch_bytes = 0;         ///< fetched by a miss, aligned
    double latency_seconds = 0;  ///< with nothing else in flight
    Provenance provenance;
  } dram;
};

}  // namespace roofline
