// SPDX-License-Identifier: MIT
// Functions of topic 03; formulas.hpp documents what each must return.
#include "formulas.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double attainable(const Roof& roof, double intensity) {
  // TODO(03.f.attainable): the smaller of ceiling and slope.
  harness::unsolved("03.f.attainable", "topics/03-roofline-modeling/README.md#model");
  // END TODO(03.f.attainable)
}

double sequence_seconds(const Roof& roof, const std::vector<Work>& operations) {
  // TODO(03.f.sequence): a sum of maxima.
  harness::unsolved("03.f.sequence", "topics/03-roofline-modeling/README.md#time");
  // END TODO(03.f.sequence)
}

double hierarchical_rate(double peak, double flops, const std::vector<Level>& levels) {
  // TODO(03.f.hierarchical): every level has its own intensity.
  harness::unsolved("03.f.hierarchical", "topics/03-roofline-modeling/README.md#hierarchical");
  // END TODO(03.f.hierarchical)
}

std::int64_t limiting_level(double peak, double flops, const std::vector<Level>& levels) {
  // TODO(03.f.limiting): compare times, so that nothing is divided by zero.
  harness::unsolved("03.f.limiting", "topics/03-roofline-modeling/README.md#hierarchical");
  // END TODO(03.f.limiting)
}

double fusion_gain(const std::vector<double>& bytes, double intermediate_bytes) {
  // TODO(03.f.fusion): each intermediate array is written once and read once.
  harness::unsolved("03.f.fusion", "topics/03-roofline-modeling/README.md#fusion");
  // END TODO(03.f.fusion)
}

Advice advise(const Roof& roof, double intensity, double achieved) {
  // TODO(03.f.advice): the bound first, then the fraction of the roof.
  harness::unsolved("03.f.advice", "topics/03-roofline-modeling/README.md#distance");
  // END TODO(03.f.advice)
}

double flops_per_joule(double joules_per_flop, double joules_per_byte, double intensity) {
  // TODO(03.f.energy): joules of one FLOP, and of the bytes that it needs.
  harness::unsolved("03.f.energy", "topics/03-roofline-modeling/README.md#energy");
  // END TODO(03.f.energy)
}

double all_reduce_seconds(double bytes, std::int64_t ranks, double latency,
                          double link_bytes_per_second) {
  // TODO(03.f.all-reduce): steps times latency, and bytes over bandwidth.
  harness::unsolved("03.f.all-reduce", "topics/03-roofline-modeling/README.md#communication");
  // END TODO(03.f.all-reduce)
}

Work nvidia_work(const NvidiaCounts& counts) {
  // TODO(03.f.nvidia): a fused multiply-add is two FLOPs; the counters already count threads.
  harness::unsolved("03.f.nvidia", "topics/03-roofline-modeling/README.md#profiling");
  // END TODO(03.f.nvidia)
}

Work amd_work(const AmdCounts& counts) {
  // TODO(03.f.amd): 64 lanes per instruction, 512 FLOPs per matrix count, requests by size.
  harness::unsolved("03.f.amd", "topics/03-roofline-modeling/README.md#profiling");
  // END TODO(03.f.amd)
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
