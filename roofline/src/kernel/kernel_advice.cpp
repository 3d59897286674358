// SPDX-License-Identifier: MIT
// Thresholds and wording of the advice on lines.
#include "roofline/kernel/kernel_advice.hpp"

#include <algorithm>
#include <cmath>

#include "kernel_text.hpp"

namespace roofline {
namespace {

using vgpu::Access;
using vgpu::Geometry;
using vgpu::Site;
using vgpu::Space;

constexpr double kMostSectors = 1.5;     // times the ideal; an unaligned row has 1.25
constexpr double kMostConflicts = 0.25;  // of all passes
constexpr double kFewestLanes = 0.75;

constexpr const char* kMemorySection = "topics/02-peaks/README.md#gpu";
constexpr const char* kDistanceSection = "topics/03-roofline-modeling/README.md#distance";
constexpr const char* kSumSection = "topics/01-ai-basics/README.md#sum";

const char* verb_of(Access access) {
  if (access == Access::kLoad) return "load";
  return access == Access::kStore ? "store" : "atomic";
}

void look_at_global(const Site& site, const Geometry& geometry, std::vector<LineAdvice>& all) {
  const double ideal = ideal_sectors(site, geometry);
  const double sectors = site.sectors_per_request();
  if (sectors > kMostSectors * ideal) {
    all.push_back({site.file, site.line,
                   std::string("A ") + verb_of(site.access) + " of a warp touches " +
                       three_digits(sectors) + " sectors where " + three_digits(ideal) +
                       " would hold its bytes: let neighbouring threads access neighbouring "
                       "elements.",
                   kMemorySection, site.sectors - ideal * site.requests});
  } else if (site.access == Access::kAtomic && site.lanes > 8 * site.sectors) {
    all.push_back({site.file, site.line,
                   three_digits(site.lanes / site.sectors) +
                       " lanes of a warp update each sector, one after another: add up within the "
                       "warp or block first, and update once.",
                   kSumSection, site.lanes - site.sectors});
  }
}

void look_at_shared(const Site& site, std::vector<LineAdvice>& all) {
  if (site.conflicts() <= kMostConflicts * site.wavefronts || site.requests <= 0) return;
  all.push_back({site.file, site.line,
                 std::string("A ") + verb_of(site.access) + " of a warp takes " +
                     three_digits(site.wavefronts / site.requests) +
                     " passes over the banks of shared memory where " +
                     three_digits(site.ideal_wavefronts / site.requests) +
                     " would do: pad the rows of the array by one element.",
                 kDistanceSection, site.conflicts()});
}

void look_at_lanes(const vgpu::LineWork& work, const Geometry& geometry,
                   std::vector<LineAdvice>& all) {
  const double room = work.warp_steps * geometry.lanes;
  if (room <= 0 || work.lanes >= kFewestLanes * room) return;
  all.push_back({work.file, work.line,
                 "Only " + three_digits(work.lanes / work.warp_steps) + " of " +
                     std::to_string(geometry.lanes) +
                     " lanes are active here; the others wait: let whole warps take the same "
                     "branch.",
                 kDistanceSection, (room - work.lanes) / geometry.lanes});
}

}  // namespace

double ideal_sectors(const Site& site, const Geometry& geometry) {
  if (site.requests <= 0) return 1;
  return std::max(1.0, std::ceil(site.bytes / site.requests / geometry.sector_bytes));
}

std::vector<LineAdvice> advise_on_lines(const vgpu::Launch& launch, const Geometry& geometry) {
  std::vector<LineAdvice> all;
  for (const Site& site : launch.sites) {
    if (site.space == Space::kGlobal) {
      look_at_global(site, geometry, all);
    } else {
      look_at_shared(site, all);
    }
  }
  for (const vgpu::LineWork& work : launch.lines) look_at_lanes(work, geometry, all);
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.cost > b.cost; });
  std::vector<LineAdvice> first;
  for (LineAdvice& advice : all) {
    const bool known = std::any_of(first.begin(), first.end(), [&](const LineAdvice& other) {
      return other.file == advice.file && other.line == advice.line;
    });
    if (!known) first.push_back(std::move(advice));
  }
  return first;
}

}  // namespace roofline
