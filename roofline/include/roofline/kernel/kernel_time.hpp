// SPDX-License-Identifier: MIT
// How long a kernel takes on a machine, from what the virtual GPU counted: the time of each unit,
// the time lost to latency, and a range.
//
// Everything below is in base units: s, B, B/s, operations.
//
// The longest time of any unit is a lower bound; the unit's time plus the latency of what it waits
// for is an upper bound: the asymptotic bounds of a queue with delay (Denning and Buzen, "The
// operational analysis of queueing network models", ACM Computing Surveys 10(3), 1978). The number
// of requests in flight follows from Little's law: in flight = rate x latency.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "vgpu/profile.hpp"

namespace roofline {

/// The fractions of a machine's peaks that programs reach, in (0, 1]; 1 if nothing was measured.
struct Efficiencies {
  std::string device;   ///< the one that was measured; empty: none
  std::string machine;  ///< id of its data file

  /// DRAM, by the share of the bytes that is written: 0 read, 1/3 triad, 1/2 copy, 1 write.
  std::map<double, double> dram_by_written_share;
  double l2 = 1;
  std::map<Precision, double> vector;
  std::map<Precision, double> matrix;

  /// Linear between two measured shares; beyond them, the nearest.
  double dram(double written_share) const;
};

/// Medians of `roofline measure` divided by the peaks of `machine`, the machine that was measured:
/// streams over DRAM's bandwidth, the best step of the ladder over the bytes that L1 and L2 move
/// per clock, multiply-adds in registers over the vector peaks, matrix instructions of a warp
/// (mma.sync) over the dense matrix peaks. Throws std::invalid_argument for a machine without
/// [multiprocessor].
Efficiencies efficiencies_of(const Report& measured, const Machine& machine);

/// The fractions of the only GPU that the course has measured, from DATA/measured/h200_roofs.json
/// and DATA/machines. Empty if that file is missing. Throws std::runtime_error if a file is
/// malformed.
Efficiencies measured_efficiencies(const std::filesystem::path& data);

/// Units of one pipe handle the same accesses or instructions: the longest of their times counts.
/// Different pipes work in parallel, except for L1 and shared memory, which take turns.
enum class Pipe { kDram, kL2, kAtomics, kL1, kShared, kIssue };

/// A part of the GPU that a launch keeps busy.
struct UnitTime {
  std::string name;  ///< "DRAM", "L2", "L1", "shared memory", "issue", "FP32", "BF16 matrix" ...
  Pipe pipe = Pipe::kDram;
  double amount = 0;         ///< of `what`
  std::string what;          ///< "B", "instructions", "operations"
  double peak_rate = 0;      ///< of the whole GPU, per second
  double peak_seconds = 0;   ///< amount / peak_rate, plus the tail, see below
  double seconds = 0;        ///< the same at the rate that programs reach
  double share_of_peak = 0;  ///< peak_seconds / the launch's expected time
};

/// Loads in flight, by Little's law.
struct Concurrency {
  double bytes_needed = 0;     ///< the rate that DRAM reaches x its latency, which grows under load
  double bytes_available = 0;  ///< resident warps x loads in flight per warp x bytes per load
  double loads_per_warp = 0;   ///< in flight at a time
  double latency_seconds = 0;  ///< mean of a single load, weighted by where it hits
};

/// The time of a launch that does nothing: its start, and the instructions and arguments that it
/// loads from DRAM, one after the other.
double launch_seconds(const Multiprocessor& part);

/// What the compiler made of a kernel; the machine code that the virtual GPU runs does not show it.
enum class Code {
  /// Each instruction of a thread waits for the one before, and a line of the source costs half an
  /// instruction for its address or loop.
  kInOrder,
  /// Loops are unrolled, their counters cost nothing, and the instructions of a thread do not wait
  /// for one another, except for loads. Operations on 16-bit numbers are done in pairs: nvcc 13.0
  /// makes the same number of packed instructions of "halves" in tests/virtual_gpu/race_variants.cu
  /// with and without pairs in the source. For kernels whose rate is limited by arithmetic, or by
  /// L1 or shared memory.
  kUnrolled
};

/// Where a launch spends its time.
struct KernelTime {
  std::vector<UnitTime> units;  ///< those that did something, nearest to DRAM first
  Concurrency concurrency;
  double memory_latency_seconds = 0;  ///< of warps waiting for their loads, one after another
  double least_latency_seconds = 0;   ///< the same with sixteen loads of a line in flight
  /// The time of waiting for the loads and then for every instruction, each after the previous one.
  double chain_seconds = 0;
  double start_seconds = 0;  ///< of the launch itself
  double low_seconds = 0;
  double expected_seconds = 0;
  double high_seconds = 0;
  std::string bound;                     ///< a unit's name, "latency" or "launch"
  std::vector<std::string> assumptions;  ///< a sentence each
};

/// Per unit, with n blocks on m multiprocessors:
///
/// - DRAM: (bytes read + written + lost) / rate. Bytes are lost if a request wants only one sector
///   of a line, and DRAM opens a row for it: a lone load of 64 B takes the time of 94, a lone
///   stored sector takes 2.1 times its own time, and so does the read that completes it. Lone
///   sectors that are requested k times for each time they pass through DRAM count 1 / k.
/// - L2: sectors read, written and, twice, updated by atomics, and one line for each line of stores
///   that leave some bytes of a sector unchanged, / rate. Both serve the whole GPU.
/// - L1: load and store sectors / (bytes per clock x m x clock). L1 tags: lines of loads, stores
///   and atomics, one per clock. One pipe: the longer counts. Shared memory: wavefronts / (m x
///   clock). It returns data through the same stage as L1 (Nsight Compute's
///   l1tex__data_pipe_lsu_wavefronts counts both), so their times are added.
/// - Issue: warp instructions / (instructions per clock x m x clock). Arithmetic: 2 x lane slots /
///   peak, where an addition takes a slot like a multiply-add (a multiplication and an addition
///   together take one), a division 8 and a special function 4; idle lanes of a warp take up theirs
///   all the same. Special functions: lanes / (number per clock x m x clock). One pipe. Matrix
///   units: FLOPs / peak, in the same pipe, because the same warps issue their instructions.
/// - Atomics: sectors of the busiest line, one per 6.4 clocks.
/// - Units of a single multiprocessor take m ceil(n / m) / n times as long: the busiest one has
///   ceil(n / m) blocks.
/// - Warp instructions: accesses, arithmetic, matrix products, 25 for a warp's start, and one for
///   every two lines that a warp executes (address, loop), because integer instructions are not
///   counted.
/// - Memory latency: rounds x loads of a warp / its loads in flight x the latency of the slowest of
///   those in flight, with rounds = n / resident blocks. If a share q of the load sectors misses a
///   cache, one of k loads misses it with probability 1 - (1 - q)^k. In flight are, for each line
///   that loads, its loads between two barriers or atomics, but at most four: that is how far
///   compilers unroll a loop. A load that goes to DRAM takes 1.5 times as long as a lone one, see
///   kernel_time.cpp.
/// - Chain: the memory latency, the same for loads from shared memory at L1's latency, rounds x
///   instructions of a warp x clocks until a result can be used / clock, and rounds x 250 ns until
///   the next block starts.
/// - Start: launch_seconds().
///
/// With u the pipes' times and t the memory latency:
///
///     low      = start + max(the longest unit at its peak rate, t with sixteen loads of a line)
///     expected = start + (chain^p + sum of u^p)^(1/p), p = 2.5
///     high     = start + the two longest of u + chain
///
/// Two queues of the same requests work in parallel, but not perfectly: p says how much they
/// overlap (1: not at all, infinity: fully), and 2.5 fits an H200's DRAM and its latency.
///
/// For unrolled code, a line of the source costs nothing, and a result can be used after one clock,
/// in which a warp issues at most one instruction.
///
/// @param launch as seen by the virtual GPU of `machine`
/// @param machine with its peaks, levels and [multiprocessor]
/// @param reached of the same machine or another: fractions carry over
/// @param code how the compiler arranges the kernel's instructions
/// Throws std::invalid_argument for a machine without [multiprocessor].
KernelTime time_of(const vgpu::Launch& launch, const Machine& machine,
                   const Efficiencies& reached = {}, Code code = Code::kInOrder);

}  // namespace roofline
