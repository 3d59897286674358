// SPDX-License-Identifier: MIT
// Decides which roofs have samples that are too far apart.
#include "wide_roofs.hpp"

namespace cli {
namespace {

/// On an idle machine a roof's samples agree within a few percent; on a busy one they do not.
constexpr double kWidest = 0.2;

bool is_wide(const roofline::MeasuredRoof& roof) {
  if (roof.kind == roofline::RoofKind::kLatency || !roof.refused.empty()) return false;
  return roof.rate.percentile_95 - roof.rate.percentile_5 > kWidest * roof.rate.median;
}

}  // namespace

std::vector<std::string> wide_roofs(const roofline::Report& report) {
  std::vector<std::string> names;
  for (const roofline::MeasuredRoof& roof : report.roofs) {
    if (is_wide(roof)) names.push_back(roof.name);
  }
  return names;
}

}  // namespace cli
