// SPDX-License-Identifier: MIT
// The formulas behind common mistakes in topic 03's functions: a student's function that agrees
// with one of them gets the message that exercises.toml lists for it. Results that are off by one
// constant factor need no entry here.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "formulas.hpp"
#include "harness/function.hpp"

namespace {

double attainable_maximum(const Roof& roof, double intensity) {
  return std::max(roof.flops_per_second, intensity * roof.bytes_per_second);
}
double attainable_slope(const Roof& roof, double intensity) {
  return intensity * roof.bytes_per_second;
}

double sequence_longer_sum(const Roof& roof, const std::vector<Work>& operations) {
  double compute = 0;
  double memory = 0;
  for (const Work& operation : operations) {
    compute += operation.flops / roof.flops_per_second;
    memory += operation.bytes / roof.bytes_per_second;
  }
  return std::max(compute, memory);
}
double sequence_all_added(const Roof& roof, const std::vector<Work>& operations) {
  double seconds = 0;
  for (const Work& operation : operations) {
    seconds += operation.flops / roof.flops_per_second + operation.bytes / roof.bytes_per_second;
  }
  return seconds;
}
double sequence_shorter(const Roof& roof, const std::vector<Work>& operations) {
  double seconds = 0;
  for (const Work& operation : operations) {
    seconds +=
        std::min(operation.flops / roof.flops_per_second, operation.bytes / roof.bytes_per_second);
  }
  return seconds;
}
double sequence_longest(const Roof& roof, const std::vector<Work>& operations) {
  double seconds = 0;
  for (const Work& operation : operations) {
    seconds = std::max(seconds, sequence_seconds(roof, {operation}));
  }
  return seconds;
}

double hierarchical_first_bytes(double peak, double flops, const std::vector<Level>& levels) {
  double rate = peak;
  for (const Level& level : levels) {
    if (level.bytes > 0) rate = std::min(rate, flops / levels[0].bytes * level.bytes_per_second);
  }
  return rate;
}
double hierarchical_without_ceiling(double peak, double flops, const std::vector<Level>& levels) {
  // With a ceiling that is never reached; without levels the ceiling is all there is.
  return levels.empty() ? peak : hierarchical_rate(1e300, flops, levels);
}
double hierarchical_sum(double peak, double flops, const std::vector<Level>& levels) {
  double seconds = flops / peak;
  for (const Level& level : levels) seconds += level.bytes / level.bytes_per_second;
  return flops / seconds;
}

std::int64_t limiting_ceiling_as_zero(double peak, double flops, const std::vector<Level>& levels) {
  return limiting_level(peak, flops, levels) + 1;
}
std::int64_t limiting_least_bandwidth(double peak, double flops, const std::vector<Level>& levels) {
  if (levels.empty() || limiting_level(peak, flops, levels) < 0) return -1;
  const auto slowest = std::min_element(
      levels.begin(), levels.end(),
      [](const Level& a, const Level& b) { return a.bytes_per_second < b.bytes_per_second; });
  return slowest - levels.begin();
}

double fusion_gain_of_one_transfer(const std::vector<double>& bytes, double intermediate_bytes) {
  return fusion_gain(bytes, intermediate_bytes / 2);
}
double fusion_gain_of_operations(const std::vector<double>& bytes, double) {
  return bytes.empty() ? 1 : static_cast<double>(bytes.size());
}

Advice advise_by_peak(const Roof& roof, double intensity, double achieved) {
  const double slope = intensity * roof.bytes_per_second;
  const double lower = std::min(slope, roof.flops_per_second);
  // The advice for a rate scaled such that its fraction of the lower line equals the fraction of
  // the peak.
  return advise(roof, intensity, achieved / roof.flops_per_second * lower);
}

double energy_of_the_larger(double joules_per_flop, double joules_per_byte, double intensity) {
  if (intensity == 0) return 0;
  return 1 / std::max(joules_per_flop, joules_per_byte / intensity);
}
double energy_times_intensity(double joules_per_flop, double joules_per_byte, double intensity) {
  return 1 / (joules_per_flop + joules_per_byte * intensity);
}
double energy_of_arithmetic(double joules_per_flop, double, double intensity) {
  return intensity == 0 ? 0 : 1 / joules_per_flop;
}
double energy_upside_down(double joules_per_flop, double joules_per_byte, double intensity) {
  return joules_per_flop + joules_per_byte / intensity;
}

double all_reduce_half(double bytes, std::int64_t ranks, double latency,
                       double link_bytes_per_second) {
  return all_reduce_seconds(bytes / 2, ranks, latency, link_bytes_per_second);
}
double all_reduce_whole_buffer(double bytes, std::int64_t ranks, double latency,
                               double link_bytes_per_second) {
  return all_reduce_seconds(bytes * static_cast<double>(ranks), ranks, latency,
                            link_bytes_per_second);
}
double all_reduce_without_latency(double bytes, std::int64_t ranks, double,
                                  double link_bytes_per_second) {
  return all_reduce_seconds(bytes, ranks, 0, link_bytes_per_second);
}
double all_reduce_one_latency(double bytes, std::int64_t ranks, double latency,
                              double link_bytes_per_second) {
  return all_reduce_seconds(bytes, ranks, 0, link_bytes_per_second) + (ranks > 1 ? latency : 0);
}

Work nvidia_fma_once(const NvidiaCounts& counts) {
  return {counts.fadd + counts.fmul + counts.ffma, counts.dram_bytes};
}
Work nvidia_fma_alone(const NvidiaCounts& counts) {
  return {2 * counts.ffma, counts.dram_bytes};
}

Work amd_eight_each(const AmdCounts& counts) {
  AmdCounts matrix;
  matrix.mfma_mops_f32 = counts.mfma_mops_f32;
  Work work = amd_work(counts);
  const double matrix_flops = amd_work(matrix).flops;
  work.flops = (work.flops - matrix_flops) / 64 * 8 + matrix_flops;
  return work;
}
Work amd_one_lane(const AmdCounts& counts) {
  AmdCounts matrix;
  matrix.mfma_mops_f32 = counts.mfma_mops_f32;
  Work work = amd_work(counts);
  const double matrix_flops = amd_work(matrix).flops;
  work.flops = (work.flops - matrix_flops) / 64 + matrix_flops;
  return work;
}
Work amd_bubbles_twice(const AmdCounts& counts) {
  Work work = amd_work(counts);
  work.bytes += 64 * counts.bubble;
  return work;
}
Work amd_without_matrix(const AmdCounts& counts) {
  AmdCounts vector = counts;
  vector.mfma_mops_f32 = 0;
  return amd_work(vector);
}
Work amd_requests_of_64(const AmdCounts& counts) {
  return {amd_work(counts).flops, 64 * (counts.rdreq + counts.wrreq)};
}

/// limiting_level() with a different rule for the winner: wins(seconds, longest so far, its index).
template <class Wins>
std::int64_t limiting_by(double peak, double flops, const std::vector<Level>& levels,
                         const Wins& wins) {
  double longest = flops / peak;
  std::int64_t limit = -1;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double seconds = levels[i].bytes / levels[i].bytes_per_second;
    if (!wins(seconds, longest, limit)) continue;
    longest = seconds;
    limit = static_cast<std::int64_t>(i);
  }
  return limit;
}
std::int64_t limiting_level_wins_tie(double peak, double flops, const std::vector<Level>& levels) {
  return limiting_by(peak, flops, levels, [](double seconds, double longest, std::int64_t limit) {
    return limit < 0 ? seconds >= longest : seconds > longest;
  });
}
std::int64_t limiting_last_of_equals(double peak, double flops, const std::vector<Level>& levels) {
  return limiting_by(peak, flops, levels, [](double seconds, double longest, std::int64_t limit) {
    return limit < 0 ? seconds > longest : seconds >= longest;
  });
}
std::int64_t limiting_last_of_all(double peak, double flops, const std::vector<Level>& levels) {
  return limiting_by(peak, flops, levels, [](double seconds, double longest, std::int64_t) {
    return seconds >= longest;
  });
}
std::int64_t limiting_without_ceiling(double peak, double, const std::vector<Level>& levels) {
  return limiting_level(peak, 0, levels);
}

double fusion_gain_of_all(const std::vector<double>& bytes, double intermediate_bytes) {
  if (bytes.size() < 2) return 1;
  const auto operations = static_cast<double>(bytes.size());
  return fusion_gain(bytes, intermediate_bytes * operations / (operations - 1));
}
double fusion_gain_of_none(const std::vector<double>& bytes, double intermediate_bytes) {
  return bytes.empty() ? 0 : fusion_gain(bytes, intermediate_bytes);
}

Advice advise_ridge_is_memory(const Roof& roof, double intensity, double achieved) {
  const bool at_ridge = intensity * roof.bytes_per_second == roof.flops_per_second;
  // The same rate below the ridge of a machine whose peak is out of reach.
  return advise(
      {at_ridge ? 2 * roof.flops_per_second : roof.flops_per_second, roof.bytes_per_second},
      intensity, achieved);
}
Advice advise_limit_below(const Roof& roof, double intensity, double achieved) {
  // A slightly lower rate: what is exactly at a limit falls below it.
  return advise(roof, intensity, achieved * (1 - 1e-14));
}

double all_reduce_of_ranks(double bytes, std::int64_t ranks, double latency,
                           double link_bytes_per_second) {
  return all_reduce_seconds(bytes, ranks, 0, link_bytes_per_second) +
         2 * static_cast<double>(ranks) * latency;
}
double all_reduce_whole_numbers(double bytes, std::int64_t ranks, double latency,
                                double link_bytes_per_second) {
  const auto part = static_cast<double>(2 * (ranks - 1) / ranks);
  return all_reduce_seconds(0, ranks, latency, link_bytes_per_second) +
         part * bytes / link_bytes_per_second;
}

HARNESS_FUNCTION(attainable_maximum)
HARNESS_FUNCTION(attainable_slope)
HARNESS_FUNCTION(sequence_longer_sum)
HARNESS_FUNCTION(sequence_all_added)
HARNESS_FUNCTION(sequence_shorter)
HARNESS_FUNCTION(sequence_longest)
HARNESS_FUNCTION(hierarchical_first_bytes)
HARNESS_FUNCTION(hierarchical_without_ceiling)
HARNESS_FUNCTION(hierarchical_sum)
HARNESS_FUNCTION(limiting_ceiling_as_zero)
HARNESS_FUNCTION(limiting_least_bandwidth)
HARNESS_FUNCTION(fusion_gain_of_one_transfer)
HARNESS_FUNCTION(fusion_gain_of_operations)
HARNESS_FUNCTION(advise_by_peak)
HARNESS_FUNCTION(energy_of_the_larger)
HARNESS_FUNCTION(energy_times_intensity)
HARNESS_FUNCTION(energy_of_arithmetic)
HARNESS_FUNCTION(energy_upside_down)
HARNESS_FUNCTION(all_reduce_half)
HARNESS_FUNCTION(all_reduce_whole_buffer)
HARNESS_FUNCTION(all_reduce_without_latency)
HARNESS_FUNCTION(all_reduce_one_latency)
HARNESS_FUNCTION(nvidia_fma_once)
HARNESS_FUNCTION(nvidia_fma_alone)
HARNESS_FUNCTION(amd_eight_each)
HARNESS_FUNCTION(amd_one_lane)
HARNESS_FUNCTION(amd_bubbles_twice)
HARNESS_FUNCTION(amd_without_matrix)
HARNESS_FUNCTION(amd_requests_of_64)
HARNESS_FUNCTION(limiting_level_wins_tie)
HARNESS_FUNCTION(limiting_last_of_equals)
HARNESS_FUNCTION(limiting_last_of_all)
HARNESS_FUNCTION(limiting_without_ceiling)
HARNESS_FUNCTION(fusion_gain_of_all)
HARNESS_FUNCTION(fusion_gain_of_none)
HARNESS_FUNCTION(advise_ridge_is_memory)
HARNESS_FUNCTION(advise_limit_below)
HARNESS_FUNCTION(all_reduce_of_ranks)
HARNESS_FUNCTION(all_reduce_whole_numbers)

}  // namespace
