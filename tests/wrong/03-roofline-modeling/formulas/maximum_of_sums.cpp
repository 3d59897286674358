// SPDX-License-Identifier: MIT
// Takes the longer of the two sums.
// Refused: 03.f.sequence | failed | This is the longer of two sums
#include <algorithm>
#include <cstddef>
#include <numeric>

#include "formulas.hpp"
#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double attainable(const Roof& roof, double intensity) {
  return std::min(roof.flops_per_second, intensity * roof.bytes_per_second);
}

double sequence_seconds(const Roof& roof, const std::vector<Work>& operations) {
  double compute = 0;
  double memory = 0;
  for (const Work& operation : operations) {
    compute += operation.flops / roof.flops_per_second;
    memory += operation.bytes / roof.bytes_per_second;
  }
  return std::max(compute, memory);
}

double hierarchical_rate(double peak, double flops, const std::vector<Level>& levels) {
  double rate = peak;
  for (const Level& level : levels) {
    if (level.bytes > 0) rate = std::min(rate, flops / level.bytes * level.bytes_per_second);
  }
  return rate;
}

std::int64_t limiting_level(double peak, double flops, const std::vector<Level>& levels) {
  double longest = flops / peak;
  std::int64_t limit = -1;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double seconds = levels[i].bytes / levels[i].bytes_per_second;
    if (seconds > longest) {
      longest = seconds;
      limit = static_cast<std::int64_t>(i);
    }
  }
  return limit;
}

double fusion_gain(const std::vector<double>& bytes, double intermediate_bytes) {
  if (bytes.size() < 2) return 1;
  const double separate = std::accumulate(bytes.begin(), bytes.end(), 0.0);
  const auto intermediates = static_cast<double>(bytes.size() - 1);
  return separate / (separate - 2 * intermediates * intermediate_bytes);
}

Advice advise(const Roof& roof, double intensity, double achieved) {
  constexpr double kPoor = 0.5;
  constexpr double kGood = 0.8;
  constexpr double kGoodCompute = 0.7;
  const double slope = intensity * roof.bytes_per_second;
  const bool memory_bound = slope < roof.flops_per_second;
  const double fraction = achieved / std::min(slope, roof.flops_per_second);
  if (!memory_bound)
    return fraction < kGoodCompute ? Advice::kFillTheUnits : Advice::kHigherCeiling;
  if (fraction < kPoor) return Advice::kAccessPattern;
  return fraction < kGood ? Advice::kFewerStalls : Advice::kFewerBytes;
}

double flops_per_joule(double joules_per_flop, double joules_per_byte, double intensity) {
  if (intensity == 0) return 0;
  return 1 / (joules_per_flop + joules_per_byte / intensity);
}

double all_reduce_seconds(double bytes, std::int64_t ranks, double latency,
                          double link_bytes_per_second) {
  const auto count = static_cast<double>(ranks);
  return 2 * (count - 1) * latency + 2 * (count - 1) / count * bytes / link_bytes_per_second;
}

Work nvidia_work(const NvidiaCounts& counts) {
  return {counts.fadd + counts.fmul + 2 * counts.ffma, counts.dram_bytes};
}

Work amd_work(const AmdCounts& counts) {
  constexpr double kLanes = 64;
  constexpr double kMatrixUnit = 512;
  const double vector = counts.add_f32 + counts.mul_f32 + counts.trans_f32 + 2 * counts.fma_f32;
  const double reads_64b = counts.rdreq - counts.bubble - counts.rdreq_32b;
  const double writes_32b = counts.wrreq - counts.wrreq_64b;
  return {kLanes * vector + kMatrixUnit * counts.mfma_mops_f32,
          128 * counts.bubble + 64 * reads_64b + 32 * counts.rdreq_32b + 64 * counts.wrreq_64b +
              32 * writes_32b};
}

HARNESS_FUNCTION(attainable)
HARNESS_FUNCTION(sequence_seconds)
HARNESS_FUNCTION(hierarchical_rate)
HARNESS_FUNCTION(limiting_level)
HARNESS_FUNCTION(fusion_gain)
HARNESS_FUNCTION(advise)
HARNESS_FUNCTION(flops_per_joule)
HARNESS_FUNCTION(all_reduce_seconds)
HARNESS_FUNCTION(nvidia_work)
HARNESS_FUNCTION(amd_work)
