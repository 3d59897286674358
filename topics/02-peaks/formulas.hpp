// SPDX-License-Identifier: MIT
// The functions of topic 02: peaks from units and clocks, and the quantities that measurements are
// judged by.
#pragma once

#include <cstdint>
#include <vector>

/// Vector peak in FLOP/s: every lane of every unit finishes one fused multiply-add per clock.
double vector_peak(double units, double lanes, double clock_hz);

/// Matrix peak in FLOP/s: `fma_per_clock` multiply-adds per clock and matrix unit.
double matrix_peak(double units, double matrix_units, double fma_per_clock, double clock_hz);

/// Bandwidth in B/s of a memory with `bus_bits` wires that makes `transfers_per_clock` transfers
/// per clock.
double memory_peak(double memory_clock_hz, double bus_bits, double transfers_per_clock);

/// Vector peak of a processor in FLOP/s, for elements of `element_bits`.
double cpu_peak(double cores, double fma_pipes, double vector_bits, double element_bits,
                double clock_hz);

/// Bandwidth in B/s of `channels` channels, each 64 bits wide.
double cpu_memory_peak(double channels, double transfers_per_second);

/// The clock in Hz at which a published dense peak was stated. `operations_per_clock` is for one
/// unit, counting a multiply-add as two.
double clock_of_peak(double peak, double units, double operations_per_clock);

/// (largest - smallest) / median of at least one sample. The median of an even number of samples is
/// the mean of the middle two.
double relative_spread(const std::vector<double>& samples);

/// Bytes that cross the memory bus when a kernel reads `arrays_read` arrays of n elements and
/// writes `arrays_written` others. With write-allocate, every line that is written is read first.
double bus_bytes(double n, double element_bytes, double arrays_read, double arrays_written,
                 bool write_allocate);

/// Index of the memory level that serves a working set: the first (0, 1 ...) whose capacity is at
/// least as large or, if there is none, the number of caches, which means DRAM. Capacities
/// increase.
std::int64_t serving_level(double working_set_bytes, const std::vector<double>& capacities);

/// Independent chains of multiply-adds that one core needs in flight to fill its pipes: every pipe
/// starts one vector of `lanes` per clock, and a result is available after `latency_clocks`.
double chains_to_fill(double fma_pipes, double lanes, double latency_clocks);

/// The bandwidth in B/s reported by a benchmark that moves `bytes` at `bandwidth` and whose time
/// includes a launch of `launch_seconds` > 0, during which nothing moves. 0 for no bytes.
double reported_bandwidth(double bytes, double bandwidth, double launch_seconds);
