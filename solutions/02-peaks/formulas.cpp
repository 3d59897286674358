// SPDX-License-Identifier: MIT
// Peaks from units and clocks, and the quantities that measurements are judged by.
#include "formulas.hpp"

#include <algorithm>

#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double vector_peak(double units, double lanes, double clock_hz) {
  //@solve 02.function.vector-peak: units, lanes, clock, and the two FLOPs of a multiply-add.
  return units * lanes * clock_hz * 2;
  //@stub
  //| harness::unsolved("02.function.vector-peak", "topics/02-peaks/README.md#theory");
  //@end
}

double matrix_peak(double units, double matrix_units, double fma_per_clock, double clock_hz) {
  //@solve 02.function.matrix-peak: the same for matrix units.
  return units * matrix_units * fma_per_clock * clock_hz * 2;
  //@stub
  //| harness::unsolved("02.function.matrix-peak", "topics/02-peaks/README.md#theory");
  //@end
}

double memory_peak(double memory_clock_hz, double bus_bits, double transfers_per_clock) {
  //@solve 02.function.memory-peak: bits per second, then bytes.
  return memory_clock_hz * transfers_per_clock * bus_bits / 8;
  //@stub
  //| harness::unsolved("02.function.memory-peak", "topics/02-peaks/README.md#theory-memory");
  //@end
}

double cpu_peak(double cores, double fma_pipes, double vector_bits, double element_bits,
                double clock_hz) {
  //@solve 02.function.cpu-peak: lanes are vector bits over element bits.
  return cores * fma_pipes * (vector_bits / element_bits) * clock_hz * 2;
  //@stub
  //| harness::unsolved("02.function.cpu-peak", "topics/02-peaks/README.md#theory");
  //@end
}

double cpu_memory_peak(double channels, double transfers_per_second) {
  //@solve 02.function.cpu-memory-peak: a transfer moves 64 bits on every channel.
  constexpr double kBytesPerTransfer = 8;
  return channels * transfers_per_second * kBytesPerTransfer;
  //@stub
  //| harness::unsolved("02.function.cpu-memory-peak", "topics/02-peaks/README.md#theory-memory");
  //@end
}

double clock_of_peak(double peak, double units, double operations_per_clock) {
  //@solve 02.function.clock-of-peak: solve the peak formula for the clock.
  return peak / (units * operations_per_clock);
  //@stub
  //| harness::unsolved("02.function.clock-of-peak", "topics/02-peaks/README.md#clocks");
  //@end
}

double relative_spread(const std::vector<double>& samples) {
  //@solve 02.function.spread: sort a copy; the median is in the middle.
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  const double median =
      sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return (sorted.back() - sorted.front()) / median;
  //@stub
  //| harness::unsolved("02.function.spread", "topics/02-peaks/README.md#measuring");
  //@end
}

double bus_bytes(double n, double element_bytes, double arrays_read, double arrays_written,
                 bool write_allocate) {
  //@solve 02.function.bus-bytes: bytes read, bytes written, and lines read to be overwritten.
  const double passes = arrays_read + arrays_written * (write_allocate ? 2 : 1);
  return n * element_bytes * passes;
  //@stub
  //| harness::unsolved("02.function.bus-bytes", "topics/02-peaks/README.md#write-allocate");
  //@end
}

std::int64_t serving_level(double working_set_bytes, const std::vector<double>& capacities) {
  //@solve 02.function.serving-level: look for the first cache that is large enough.
  const auto fits = [&](double capacity) { return working_set_bytes <= capacity; };
  return std::find_if(capacities.begin(), capacities.end(), fits) - capacities.begin();
  //@stub
  //| harness::unsolved("02.function.serving-level", "topics/02-peaks/README.md#ladder");
  //@end
}

double chains_to_fill(double fma_pipes, double lanes, double latency_clocks) {
  //@solve 02.function.chains: results in flight are starts per clock times latency in clocks.
  return fma_pipes * lanes * latency_clocks;
  //@stub
  //| harness::unsolved("02.function.chains", "topics/02-peaks/README.md#fma");
  //@end
}

double reported_bandwidth(double bytes, double bandwidth, double launch_seconds) {
  //@solve 02.function.reported-bandwidth: bytes over the whole time.
  return bytes / (bytes / bandwidth + launch_seconds);
  //@stub
  //| harness::unsolved("02.function.reported-bandwidth", "topics/02-peaks/README.md#launch-share");
  //@end
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
