// SPDX-License-Identifier: MIT
// Measures stored roofs again and compares the values.
#include "grader/timing/roof_look.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/files.hpp"
#include "grader/timing/timing.hpp"

namespace grader {
namespace {

namespace fs = std::filesystem;

/// Two runs on the same quiet machine may differ by this much: other pages, other clocks.
constexpr double kRunToRun = 0.1;
/// A larger difference is never noise, whatever the spreads.
constexpr double kMostNoise = 0.3;

double half_width(const roofline::Spread& spread) {
  return (spread.percentile_95 - spread.percentile_5) / 2 / spread.median;
}

/// Ratio of the current to the stored value: below 1 for a roof that is lower now.
double change(const RoofNow& roof) {
  return roof.now.median / roof.stored.rate.median;
}

const roofline::MeasuredRoof* find_roof(const roofline::Report& report, const std::string& name) {
  for (const roofline::MeasuredRoof& roof : report.roofs) {
    if (roof.name == name && roof.refused.empty()) return &roof;
  }
  return nullptr;
}

std::string rate_text(const roofline::MeasuredRoof& roof, double rate) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g %s", rate / 1e9,
                roof.kind == roofline::RoofKind::kBandwidth ? "GB/s" : "GFLOP/s");
  return text;
}

/// The report of a short run of `roofline measure`. @throws ChildFailure, std::runtime_error.
roofline::Report measure_again(const fs::path& build, const std::vector<std::string>& names) {
  const base::TemporaryFolder folder;
  const fs::path file = folder.path() / "roofs.json";
  std::vector<std::string> arguments = {
      (build / "bin" / "roofline").string(), "measure", "--quick",    "--like",
      (build / "machine.json").string(),     "--out",   file.string()};
  for (const std::string& name : names) arguments.insert(arguments.end(), {"--only", name});
  Child child({std::move(arguments), folder.path(), clean_environment()}, Limits{});
  child.wait();
  return roofline::read_report(file);
}

}  // namespace

RoofState state_of(const roofline::Spread& stored, const roofline::Spread& now) {
  const double noise = std::min(kMostNoise, kRunToRun + half_width(stored) + half_width(now));
  if (now.median > stored.median * (1 + noise)) return RoofState::kHigherNow;
  if (now.median < stored.median * (1 - noise)) return RoofState::kLowerNow;
  return RoofState::kAgrees;
}

RoofLook::RoofLook(roofline::Report stored, std::vector<RoofNow> roofs)
    : stored_(std::move(stored)), roofs_(std::move(roofs)) {
  std::sort(roofs_.begin(), roofs_.end(), [](const RoofNow& a, const RoofNow& b) {
    return std::fabs(std::log(change(a))) > std::fabs(std::log(change(b)));
  });
}

RoofState RoofLook::state() const {
  for (const RoofNow& roof : roofs_) {
    const RoofState state = state_of(roof.stored.rate, roof.now);
    if (state != RoofState::kAgrees) return state;
  }
  return RoofState::kAgrees;
}

std::string RoofLook::complaint() const {
  for (const RoofNow& roof : roofs_) {
    const RoofState state = state_of(roof.stored.rate, roof.now);
    if (state == RoofState::kAgrees) continue;
    const std::string text = "The roof " + roof.stored.name + " is stored as " +
                             rate_text(roof.stored, roof.stored.rate.median) + " and was " +
                             rate_text(roof.stored, roof.now.median) + " just now: ";
    return text +
           (state == RoofState::kHigherNow
                ? "it is stale, or was measured while the machine was busy."
                : "the machine is busy, or the stored roof is stale.") +
           "\nMeasure again while nothing else runs: ./lab start --measure";
  }
  return {};
}

roofline::Machine RoofLook::machine() const {
  roofline::Report report = stored_;
  for (roofline::MeasuredRoof& roof : report.roofs) {
    for (const RoofNow& again : roofs_) {
      if (again.stored.name == roof.name) {
        roof.rate.median = std::max(roof.rate.median, again.now.median);
      }
    }
  }
  return roofline::machine_from_report(report);
}

std::vector<std::string> limiting_roofs(const roofline::Machine& machine,
                                        const std::string& precision, double flops,
                                        double bytes_moved) {
  const roofline::MemoryLevel& memory = roofline::memory_level(machine, "DRAM");
  const roofline::Peak* peak = peak_of(machine, precision);
  const double memory_seconds = bytes_moved / roofline::bandwidth(machine);
  if (peak != nullptr && flops / peak->operations_per_second > memory_seconds) {
    return {roofline::measured_roof_name(peak->provenance)};
  }
  // The roof itself, and the stream that is most like a typical kernel.
  return {roofline::measured_roof_name(memory.provenance), "triad"};
}

std::optional<RoofLook> look_at_roofs(const Session& session, const std::string& precision,
                                      double flops, double bytes_moved) {
  if (!session.machine()) return std::nullopt;
  const fs::path& build = session.workspace().build;
  roofline::Report stored = roofline::read_report(build / "machine.json");
  std::vector<RoofNow> roofs;
  try {
    const roofline::Report now =
        measure_again(build, limiting_roofs(*session.machine(), precision, flops, bytes_moved));
    for (const roofline::MeasuredRoof& roof : stored.roofs) {
      const roofline::MeasuredRoof* again = find_roof(now, roof.name);
      if (again != nullptr && roof.refused.empty()) roofs.push_back({roof, again->rate});
    }
  } catch (const std::exception&) {
    // Too little memory or time: there is no evidence against the stored roofs.
  }
  return RoofLook(std::move(stored), std::move(roofs));
}

}  // namespace grader
