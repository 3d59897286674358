// SPDX-License-Identifier: MIT
// Peaks from units and clocks, and the quantities that measurements are judged by.
#include "formulas.hpp"

#include <algorithm>

#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double vector_peak(double units, double lanes, double clock_hz) {
  // TODO(02.function.vector-peak): units, lanes, clock, and the two FLOPs of a multiply-add.
  harness::unsolved("02.function.vector-peak", "topics/02-peaks/README.md#theory");
  // END TODO(02.function.vector-peak)
}

double matrix_peak(double units, double matrix_units, double fma_per_clock, double clock_hz) {
  // TODO(02.function.matrix-peak): the same for matrix units.
  harness::unsolved("02.function.matrix-peak", "topics/02-peaks/README.md#theory");
  // END TODO(02.function.matrix-peak)
}

double memory_peak(double memory_clock_hz, double bus_bits, double transfers_per_clock) {
  // TODO(02.function.memory-peak): bits per second, then bytes.
  harness::unsolved("02.function.memory-peak", "topics/02-peaks/README.md#theory-memory");
  // END TODO(02.function.memory-peak)
}

double cpu_peak(double cores, double fma_pipes, double vector_bits, double element_bits,
                double clock_hz) {
  // TODO(02.function.cpu-peak): lanes are vector bits over element bits.
  harness::unsolved("02.function.cpu-peak", "topics/02-peaks/README.md#theory");
  // END TODO(02.function.cpu-peak)
}

double cpu_memory_peak(double channels, double transfers_per_second) {
  // TODO(02.function.cpu-memory-peak): a transfer moves 64 bits on every channel.
  harness::unsolved("02.function.cpu-memory-peak", "topics/02-peaks/README.md#theory-memory");
  // END TODO(02.function.cpu-memory-peak)
}

double clock_of_peak(double peak, double units, double operations_per_clock) {
  // TODO(02.function.clock-of-peak): solve the peak formula for the clock.
  harness::unsolved("02.function.clock-of-peak", "topics/02-peaks/README.md#clocks");
  // END TODO(02.function.clock-of-peak)
}

double relative_spread(const std::vector<double>& samples) {
  // TODO(02.function.spread): sort a copy; the median is in the middle.
  harness::unsolved("02.function.spread", "topics/02-peaks/README.md#measuring");
  // END TODO(02.function.spread)
}

double bus_bytes(double n, double element_bytes, double arrays_read, double arrays_written,
                 bool write_allocate) {
  // TODO(02.function.bus-bytes): bytes read, bytes written, and lines read to be overwritten.
  harness::unsolved("02.function.bus-bytes", "topics/02-peaks/README.md#write-allocate");
  // END TODO(02.function.bus-bytes)
}

std::int64_t serving_level(double working_set_bytes, const std::vector<double>& capacities) {
  // TODO(02.function.serving-level): look for the first cache that is large enough.
  harness::unsolved("02.function.serving-level", "topics/02-peaks/README.md#ladder");
  // END TODO(02.function.serving-level)
}

double chains_to_fill(double fma_pipes, double lanes, double latency_clocks) {
  // TODO(02.function.chains): results in flight are starts per clock times latency in clocks.
  harness::unsolved("02.function.chains", "topics/02-peaks/README.md#fma");
  // END TODO(02.function.chains)
}

double reported_bandwidth(double bytes, double bandwidth, double launch_seconds) {
  // TODO(02.function.reported-bandwidth): bytes over the whole time.
  harness::unsolved("02.function.reported-bandwidth", "topics/02-peaks/README.md#launch-share");
  // END TODO(02.function.reported-bandwidth)
}

HARNESS_FUNCTION(vector_peak)
HARNESS_FUNCTION(matrix_peak)
HARNESS_FUNCTION(memory_peak)
HARNESS_FUNCTION(cpu_peak)
HARNESS_FUNCTION(cpu_memory_peak)
HARNESS_FUNCTION(clock_of_peak)
HARNESS_FUNCTION(relative_spread)
HARNESS_FUNCTION(bus_bytes)
HARNESS_FUNCTION(serving_level)
HARNESS_FUNCTION(chains_to_fill)
HARNESS_FUNCTION(reported_bandwidth)
