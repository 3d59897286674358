// SPDX-License-Identifier: MIT
// What to try next, from the position of a kernel on the chart.
#include "roofline/advice.hpp"

#include <stdexcept>

#include "base/text.hpp"
#include "roofline/checks.hpp"

namespace roofline {
namespace {

constexpr double kAboveRoof = 1.02;
constexpr double kPoorMemory = 0.5;
constexpr double kGoodMemory = 0.8;
constexpr double kGoodCompute = 0.7;

std::vector<Remedy> poor_memory_remedies() {
  return {
      {Move::kDiagonal,
       "Make neighbouring threads touch neighbouring addresses, in accesses of 16 bytes: a "
       "scattered "
       "access pays for whole sectors and uses parts of them."},
      {Move::kUp,
       "Keep more loads in flight: more threads, or several independent loads per thread; by "
       "Little's "
       "law bytes in flight = bandwidth x latency."},
      {Move::kRight,
       "Count the bytes that really move: a profiler that shows more than the compulsory bytes has "
       "found lost reuse or write-allocate traffic."},
  };
}

std::vector<Remedy> fair_memory_remedies() {
  return {
      {Move::kRight, "Reuse what was loaded: tile for shared memory, cache or registers."},
      {Move::kRight,
       "Fuse with the neighbouring operation, so that the intermediate never reaches "
       "memory."},
      {Move::kUp, "Unroll or use wider accesses to close the rest of the gap to the slope."},
  };
}

std::vector<Remedy> good_memory_remedies() {
  return {
      {Move::kRight,
       "Store the data in fewer bits: FP16, INT8 or INT4 move the point to the right."},
      {Move::kRight, "Fuse with the neighbouring operation."},
      {Move::kRight,
       "Change the algorithm or the batch, so that each byte serves more operations; "
       "faster arithmetic would change nothing."},
  };
}

std::vector<Remedy> poor_compute_remedies() {
  return {
      {Move::kUp,
       "Give every thread several independent chains of operations, so that the latency "
       "of one is hidden behind the others."},
      {Move::kUp, "Check occupancy, registers and spills, and divergent branches."},
      {Move::kUp,
       "Check that multiplications and additions are fused, and that the loop does not "
       "issue more address arithmetic than useful work."},
      {Move::kNewRoof, "Use the matrix units if the operation is a product of matrices."},
  };
}

std::vector<Remedy> good_compute_remedies() {
  return {
      {Move::kNewRoof, "Lower the precision or use the matrix units: a higher ceiling."},
      {Move::kNewRoof,
       "Do less work: a better algorithm is the only gain left under this ceiling."},
  };
}

std::string summary_of(Bound bound, double fraction) {
  return base::formatted("%s-bound, at %.0f %% of what the roofline allows.",
                         bound == Bound::kMemory ? "Memory" : "Compute", 100 * fraction);
}

/// Why a rate cannot be believed; empty if it can.
std::string doubt_about(double fraction) {
  if (fraction <= kAboveRoof) return {};
  return base::formatted(
      "the achieved rate is %.0f %% of the roof; the FLOPs or bytes are counted wrongly, "
      "the data came from a cache, or the roof was measured too low",
      100 * fraction);
}

std::vector<Remedy> remedies_for(Bound bound, double fraction) {
  if (bound == Bound::kCompute) {
    return fraction < kGoodCompute ? poor_compute_remedies() : good_compute_remedies();
  }
  if (fraction < kPoorMemory) return poor_memory_remedies();
  return fraction < kGoodMemory ? fair_memory_remedies() : good_memory_remedies();
}

}  // namespace

const char* to_string(Move move) {
  switch (move) {
    case Move::kUp:
      return "up";
    case Move::kRight:
      return "right";
    case Move::kDiagonal:
      return "right and up";
    case Move::kNewRoof:
      return "to a higher roof";
  }
  throw std::invalid_argument("not a value of roofline::Move");
}

Advice advise(const Roof& roof, double intensity, double achieved_flops_per_second) {
  require_positive(intensity, "arithmetic intensity");
  require_positive(achieved_flops_per_second, "achieved rate in FLOP/s");
  Advice advice;
  advice.bound = classify(roof, intensity);
  advice.intensity = intensity;
  advice.fraction_of_roof = achieved_flops_per_second / attainable(roof, intensity);
  const std::string doubt = doubt_about(advice.fraction_of_roof);
  if (!doubt.empty()) throw std::invalid_argument(doubt);
  advice.summary = summary_of(advice.bound, advice.fraction_of_roof);
  advice.remedies = remedies_for(advice.bound, advice.fraction_of_roof);
  return advice;
}

std::string next_steps(Bound bound, double fraction_of_roof) {
  const std::string doubt = doubt_about(fraction_of_roof);
  if (!doubt.empty()) return doubt + ".";
  const std::vector<Remedy> remedies = remedies_for(bound, fraction_of_roof);
  return remedies.at(0).text + " " + remedies.at(1).text;
}

}  // namespace roofline
