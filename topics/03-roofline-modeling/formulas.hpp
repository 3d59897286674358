// SPDX-License-Identifier: MIT
// The functions of topic 03. Everything is in base units: FLOP, B, s, J, and FLOP/s and B/s.
#pragma once

#include <cstdint>
#include <vector>

/// The cost of an operation, or what it did.
struct Work {
  double flops = 0;
  double bytes = 0;
};

/// A machine with one ceiling and one slope.
struct Roof {
  double flops_per_second = 0;
  double bytes_per_second = 0;
};

/// A level of the memory hierarchy, and the bytes that an operation moves through it.
struct Level {
  double bytes_per_second = 0;
  double bytes = 0;
};

/// Attainable rate at an intensity, in FLOP/s: the smaller of ceiling and slope.
double attainable(const Roof& roof, double intensity);

/// Least time of operations that run one after another, each limited by its own bound.
double sequence_seconds(const Roof& roof, const std::vector<Work>& operations);

/// Hierarchical roofline: the attainable rate of an operation of `flops` FLOPs, in FLOP/s, with all
/// levels and the ceiling taken together. A level through which no byte moves is not a limit.
double hierarchical_rate(double peak, double flops, const std::vector<Level>& levels);

/// Which takes longest, flops / peak or bytes / bandwidth of a level: the index of the level, or -1
/// for the ceiling. The ceiling wins a tie with a level; among levels the lower index wins.
std::int64_t limiting_level(double peak, double flops, const std::vector<Level>& levels);

/// Bandwidth-bound operations that run one after another: how many times faster is one fused
/// kernel? `bytes` are the operations' own bytes; between each two consecutive ones there is an
/// intermediate array of `intermediate_bytes`, which the first writes and the second reads, and
/// which the fused kernel keeps in registers. With one operation or none the gain is 1.
double fusion_gain(const std::vector<double>& bytes, double intermediate_bytes);

/// What to look at next.
enum class Advice : std::int64_t {
  kAccessPattern = 0,  ///< memory-bound under 50 % of the roof: coalescing, more bytes in flight
  kFewerStalls = 1,    ///< memory-bound from 50 % to 80 %: latency, tails of the grid, reuse
  kFewerBytes = 2,     ///< memory-bound over 80 %: only fusion, precision or another algorithm help
  kFillTheUnits = 3,   ///< compute-bound under 70 %: FMAs, independent chains, occupancy, registers
  kHigherCeiling = 4,  ///< compute-bound from 70 % on: matrix units, lower precision, fewer FLOPs
};

/// Advice for a kernel of this intensity that runs at `achieved` FLOP/s. A kernel below the ridge
/// is memory-bound; exactly 50 %, 80 % and 70 % belong to the higher range.
Advice advise(const Roof& roof, double intensity, double achieved);

/// FLOP per joule at an intensity, from `joules_per_flop` and `joules_per_byte`: unlike times,
/// energies do not overlap but add up. At intensity 0 it is 0.
double flops_per_joule(double joules_per_flop, double joules_per_byte, double intensity);

/// Seconds of a ring all-reduce of a buffer of `bytes` among `ranks`: 2 (ranks - 1) steps of
/// `latency` seconds, and 2 (ranks - 1) / ranks of the buffer over each link. A single rank needs
/// no time.
double all_reduce_seconds(double bytes, std::int64_t ranks, double latency,
                          double link_bytes_per_second);

/// Counters of one kernel on an NVIDIA GPU: FP32 instructions, counted per thread.
struct NvidiaCounts {
  double fadd = 0;
  double fmul = 0;
  double ffma = 0;
  double dram_bytes = 0;
};
Work nvidia_work(const NvidiaCounts& counts);

/// Counters of one kernel on an AMD gfx942 GPU. Vector instructions are counted per wavefront of 64
/// lanes, matrix operations in units of 512 FLOPs, requests to the fabric by size.
struct AmdCounts {
  double add_f32 = 0;
  double mul_f32 = 0;
  double trans_f32 = 0;  ///< square roots, exponentials ...: one FLOP per lane
  double fma_f32 = 0;
  double mfma_mops_f32 = 0;
  double bubble = 0;  ///< TCC_BUBBLE: reads of 128 bytes
  double rdreq = 0;   ///< all reads, of 32, 64 and 128 bytes
  double rdreq_32b = 0;
  double wrreq = 0;  ///< all writes, of 32 and 64 bytes
  double wrreq_64b = 0;
};
Work amd_work(const AmdCounts& counts);
