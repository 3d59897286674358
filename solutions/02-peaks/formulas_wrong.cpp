// SPDX-License-Identifier: MIT
// The formulas behind common mistakes in topic 02's functions: a student's function that agrees
// with one of them gets the message that exercises.toml lists for it. Results that are off by one
// constant factor need no entry here.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "formulas.hpp"
#include "harness/function.hpp"

namespace {

double matrix_peak_of_one_unit(double units, double, double fma_per_clock, double clock_hz) {
  return matrix_peak(units, 1, fma_per_clock, clock_hz);
}

double memory_peak_of_one_transfer(double memory_clock_hz, double bus_bits, double) {
  return memory_peak(memory_clock_hz, bus_bits, 1);
}
double cpu_memory_peak_of_one_channel(double, double transfers_per_second) {
  return cpu_memory_peak(1, transfers_per_second);
}
double cpu_peak_of_one_pipe(double cores, double, double vector_bits, double element_bits,
                            double clock_hz) {
  return cpu_peak(cores, 1, vector_bits, element_bits, clock_hz);
}
double cpu_peak_of_one_lane(double cores, double fma_pipes, double, double, double clock_hz) {
  return cpu_peak(cores, fma_pipes, 1, 1, clock_hz);
}
double cpu_peak_of_bits(double cores, double fma_pipes, double vector_bits, double,
                        double clock_hz) {
  return cpu_peak(cores, fma_pipes, vector_bits, 1, clock_hz);
}

double spread_over_mean(const std::vector<double>& samples) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  const double sum = std::accumulate(samples.begin(), samples.end(), 0.0);
  return (*most - *least) / (sum / static_cast<double>(samples.size()));
}
double spread_over_least(const std::vector<double>& samples) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  return (*most - *least) / *least;
}
double spread_over_upper_median(const std::vector<double>& samples) {
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  return (sorted.back() - sorted.front()) / sorted[sorted.size() / 2];
}
double spread_over_lower_median(const std::vector<double>& samples) {
  std::vector<double> sorted = samples;
  std::sort(sorted.begin(), sorted.end());
  return (sorted.back() - sorted.front()) / sorted[(sorted.size() - 1) / 2];
}
double spread_over_unsorted_middle(const std::vector<double>& samples) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  return (*most - *least) / samples[samples.size() / 2];
}

double bus_bytes_never_allocated(double n, double element_bytes, double arrays_read,
                                 double arrays_written, bool) {
  return bus_bytes(n, element_bytes, arrays_read, arrays_written, false);
}
double bus_bytes_always_allocated(double n, double element_bytes, double arrays_read,
                                  double arrays_written, bool) {
  return bus_bytes(n, element_bytes, arrays_read, arrays_written, true);
}
double bus_bytes_all_twice(double n, double element_bytes, double arrays_read,
                           double arrays_written, bool write_allocate) {
  return bus_bytes(n, element_bytes, arrays_read * (write_allocate ? 2 : 1), arrays_written,
                   write_allocate);
}
double bus_bytes_read_only(double n, double element_bytes, double arrays_read, double, bool) {
  return bus_bytes(n, element_bytes, arrays_read, 0, false);
}

std::int64_t serving_level_from_one(double working_set_bytes,
                                    const std::vector<double>& capacities) {
  return serving_level(working_set_bytes, capacities) + 1;
}
std::int64_t serving_level_strictly(double working_set_bytes,
                                    const std::vector<double>& capacities) {
  const auto fits = [&](double capacity) { return working_set_bytes < capacity; };
  return std::find_if(capacities.begin(), capacities.end(), fits) - capacities.begin();
}

double chains_of_one_clock(double fma_pipes, double lanes, double) {
  return chains_to_fill(fma_pipes, lanes, 1);
}
double chains_of_one_pipe(double, double lanes, double latency_clocks) {
  return chains_to_fill(1, lanes, latency_clocks);
}
double chains_of_vectors(double fma_pipes, double, double latency_clocks) {
  return chains_to_fill(fma_pipes, 1, latency_clocks);
}

double reported_bandwidth_without_launch(double, double bandwidth, double) {
  return bandwidth;
}
double reported_bandwidth_overlapped(double bytes, double bandwidth, double launch_seconds) {
  return bytes / std::max(bytes / bandwidth, launch_seconds);
}

std::int64_t serving_level_never_memory(double working_set_bytes,
                                        const std::vector<double>& capacities) {
  const std::int64_t level = serving_level(working_set_bytes, capacities);
  const auto caches = static_cast<std::int64_t>(capacities.size());
  return level == caches ? caches - 1 : level;
}
std::int64_t serving_level_minus_one(double working_set_bytes,
                                     const std::vector<double>& capacities) {
  const std::int64_t level = serving_level(working_set_bytes, capacities);
  return level == static_cast<std::int64_t>(capacities.size()) ? -1 : level;
}

HARNESS_FUNCTION(matrix_peak_of_one_unit)
HARNESS_FUNCTION(memory_peak_of_one_transfer)
HARNESS_FUNCTION(cpu_memory_peak_of_one_channel)
HARNESS_FUNCTION(cpu_peak_of_one_pipe)
HARNESS_FUNCTION(cpu_peak_of_one_lane)
HARNESS_FUNCTION(cpu_peak_of_bits)
HARNESS_FUNCTION(spread_over_mean)
HARNESS_FUNCTION(spread_over_least)
HARNESS_FUNCTION(spread_over_upper_median)
HARNESS_FUNCTION(spread_over_lower_median)
HARNESS_FUNCTION(spread_over_unsorted_middle)
HARNESS_FUNCTION(bus_bytes_never_allocated)
HARNESS_FUNCTION(bus_bytes_always_allocated)
HARNESS_FUNCTION(bus_bytes_all_twice)
HARNESS_FUNCTION(bus_bytes_read_only)
HARNESS_FUNCTION(serving_level_from_one)
HARNESS_FUNCTION(serving_level_strictly)
HARNESS_FUNCTION(chains_of_one_clock)
HARNESS_FUNCTION(chains_of_one_pipe)
HARNESS_FUNCTION(chains_of_vectors)
HARNESS_FUNCTION(reported_bandwidth_without_launch)
HARNESS_FUNCTION(reported_bandwidth_overlapped)
HARNESS_FUNCTION(serving_level_never_memory)
HARNESS_FUNCTION(serving_level_minus_one)

}  // namespace
