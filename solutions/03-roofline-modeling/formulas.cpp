// SPDX-License-Identifier: MIT
// Functions of topic 03; formulas.hpp documents what each must return.
#include "formulas.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double attainable(const Roof& roof, double intensity) {
  //@solve 03.f.attainable: the smaller of ceiling and slope.
  return std::min(roof.flops_per_second, intensity * roof.bytes_per_second);
  //@stub
  //| harness::unsolved("03.f.attainable", "topics/03-roofline-modeling/README.md#model");
  //@end
}

double sequence_seconds(const Roof& roof, const std::vector<Work>& operations) {
  //@solve 03.f.sequence: a sum of maxima.
  double seconds = 0;
  for (const Work& operation : operations) {
    seconds +=
        std::max(operation.flops / roof.flops_per_second, operation.bytes / roof.bytes_per_second);
  }
  return seconds;
  //@stub
  //| harness::unsolved("03.f.sequence", "topics/03-roofline-modeling/README.md#time");
  //@end
}

double hierarchical_rate(double peak, double flops, const std::vector<Level>& levels) {
  //@solve 03.f.hierarchical: every level has its own intensity.
  double rate = peak;
  for (const Level& level : levels) {
    if (level.bytes > 0) rate = std::min(rate, flops / level.bytes * level.bytes_per_second);
  }
  return rate;
  //@stub
  //| harness::unsolved("03.f.hierarchical", "topics/03-roofline-modeling/README.md#hierarchical");
  //@end
}

std::int64_t limiting_level(double peak, double flops, const std::vector<Level>& levels) {
  //@solve 03.f.limiting: compare times, so that nothing is divided by zero.
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
  //@stub
  //| harness::unsolved("03.f.limiting", "topics/03-roofline-modeling/README.md#hierarchical");
  //@end
}

double fusion_gain(const std::vector<double>& bytes, double intermediate_bytes) {
  //@solve 03.f.fusion: each intermediate array is written once and read once.
  if (bytes.size() < 2) return 1;
  const double separate = std::accumulate(bytes.begin(), bytes.end(), 0.0);
  const auto intermediates = static_cast<double>(bytes.size() - 1);
  return separate / (separate - 2 * intermediates * intermediate_bytes);
  //@stub
  //| harness::unsolved("03.f.fusion", "topics/03-roofline-modeling/README.md#fusion");
  //@end
}

Advice advise(const Roof& roof, double intensity, double achieved) {
  //@solve 03.f.advice: the bound first, then the fraction of the roof.
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
  //@stub
  //| harness::unsolved("03.f.advice", "topics/03-roofline-modeling/README.md#distance");
  //@end
}

double flops_per_joule(double joules_per_flop, double joules_per_byte, double intensity) {
  //@solve 03.f.energy: joules of one FLOP, and of the bytes that it needs.
  if (intensity == 0) return 0;
  return 1 / (joules_per_flop + joules_per_byte / intensity);
  //@stub
  //| harness::unsolved("03.f.energy", "topics/03-roofline-modeling/README.md#energy");
  //@end
}

double all_reduce_seconds(double bytes, std::int64_t ranks, double latency,
                          double link_bytes_per_second) {
  //@solve 03.f.all-reduce: steps times latency, and bytes over bandwidth.
  const auto count = static_cast<double>(ranks);
  return 2 * (count - 1) * latency + 2 * (count - 1) / count * bytes / link_bytes_per_second;
  //@stub
  //| harness::unsolved("03.f.all-reduce", "topics/03-roofline-modeling/README.md#communication");
  //@end
}

Work nvidia_work(const NvidiaCounts& counts) {
  //@solve 03.f.nvidia: a fused multiply-add is two FLOPs; the counters already count threads.
  return {counts.fadd + counts.fmul + 2 * counts.ffma, counts.dram_bytes};
  //@stub
  //| harness::unsolved("03.f.nvidia", "topics/03-roofline-modeling/README.md#profiling");
  //@end
}

Work amd_work(const AmdCounts& counts) {
  //@solve 03.f.amd: 64 lanes per instruction, 512 FLOPs per matrix count, requests by size.
  constexpr double kLanes = 64;
  constexpr double kMatrixUnit = 512;
  const double vector = counts.add_f32 + counts.mul_f32 + counts.trans_f32 + 2 * counts.fma_f32;
  const double reads_64b = counts.rdreq - counts.bubble - counts.rdreq_32b;
  const double writes_32b = counts.wrreq - counts.wrreq_64b;
  return {kLanes * vector + kMatrixUnit * counts.mfma_mops_f32,
          128 * counts.bubble + 64 * reads_64b + 32 * counts.rdreq_32b + 64 * counts.wrreq_64b +
              32 * writes_32b};
  //@stub
  //| harness::unsolved("03.f.amd", "topics/03-roofline-modeling/README.md#profiling");
  //@end
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
