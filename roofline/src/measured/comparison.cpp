// SPDX-License-Identifier: MIT
// Two measurement reports side by side.
#include "roofline/chart/comparison.hpp"

#include <algorithm>

namespace roofline {
namespace {

const MeasuredRoof* find(const Report& report, const MeasuredRoof& wanted) {
  const auto found =
      std::find_if(report.roofs.begin(), report.roofs.end(), [&](const MeasuredRoof& roof) {
        return roof.name == wanted.name && roof.kind == wanted.kind && roof.refused.empty();
      });
  return found == report.roofs.end() ? nullptr : &*found;
}

RoofChange change_of(const MeasuredRoof& before, const MeasuredRoof& after) {
  return {before, after, after.rate.median / before.rate.median,
          before.rate.percentile_95 < after.rate.percentile_5 ||
              after.rate.percentile_95 < before.rate.percentile_5};
}

}  // namespace

Comparison compare(const Report& first, const Report& second) {
  Comparison result;
  for (const MeasuredRoof& before : first.roofs) {
    if (!before.refused.empty()) continue;
    if (const MeasuredRoof* after = find(second, before)) {
      result.changes.push_back(change_of(before, *after));
    } else {
      result.only_in_first.push_back(before.name);
    }
  }
  for (const MeasuredRoof& roof : second.roofs) {
    if (roof.refused.empty() && !find(first, roof)) result.only_in_second.push_back(roof.name);
  }
  const auto note = [&](const char* what, const std::string& before, const std::string& after) {
    if (before != after) {
      result.differences.push_back(std::string(what) + ": " + before + " -> " + after);
    }
  };
  note("device", first.device.name, second.device.name);
  note("backend", first.device.backend, second.device.backend);
  note("driver", first.device.driver, second.device.driver);
  note("compiler", first.build.compiler, second.build.compiler);
  note("flags", first.build.flags, second.build.flags);
  note("commit", first.build.commit, second.build.commit);
  return result;
}

}  // namespace roofline
