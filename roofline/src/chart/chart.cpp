// SPDX-License-Identifier: MIT
// The contents of a roofline chart, and the range of its axes.
#include "roofline/chart/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "base/text.hpp"
#include "roofline/advice.hpp"
#include "roofline/checks.hpp"
#include "roofline/measurement.hpp"

namespace roofline {
namespace {

constexpr double kSameCeiling = 0.02;
// The axes extend by at least these factors beyond everything that must be visible.
constexpr double kRoomBelow = 1.5;
constexpr double kRoomAbove = 2;
/// The name of a point is to its right, and the edge must not cut it off.
constexpr double kRoomForName = 8;
constexpr double kLeftOfRidges = 8;
constexpr double kRightOfRidges = 40;  // where the ceilings are named

// Peaks so close that they share a line: their precisions, by unit and by what reached them.
struct Group {
  double rate;
  bool integers;
  std::map<std::pair<Unit, std::string>, std::string> precisions;

  void add(const Peak& peak) {
    std::string& names = precisions[{peak.unit, peak.reached_by}];
    names += (names.empty() ? "" : ", ") + display_name(peak.precision);
  }
  std::string name() const {
    std::string text;
    for (const auto& [way, names] : precisions) {
      text += (text.empty() ? "" : "; ") + names + " " + to_string(way.first);
      if (!way.second.empty()) text += " (" + way.second + ")";
    }
    return text;
  }
};

bool wanted(Precision precision, const std::vector<Precision>& precisions) {
  if (precisions.empty()) return !is_integer(precision);
  return std::find(precisions.begin(), precisions.end(), precision) != precisions.end();
}

std::vector<Group> groups_of(const Machine& machine, const std::vector<Precision>& precisions) {
  std::vector<Group> groups;
  for (const Precision precision : all_precisions()) {
    if (!wanted(precision, precisions)) continue;
    for (const Unit unit : {Unit::kVector, Unit::kMatrix}) {
      const Peak* peak = find_peak(machine, precision, unit);
      if (!peak) continue;
      const double rate = peak->operations_per_second;
      const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
        return group.integers == is_integer(precision) &&
               std::fabs(group.rate - rate) <= kSameCeiling * rate;
      });
      Group& group = same != groups.end()
                         ? *same
                         : groups.emplace_back(Group{rate, is_integer(precision), {}});
      group.add(*peak);
    }
  }
  return groups;
}

// The nearest 1, 2 or 5 times a power of ten, below or above the value.
double round_below(double value) {
  const double decade = std::pow(10, std::floor(std::log10(value) + 1e-9));
  for (const double step : {5.0, 2.0}) {
    if (value >= step * decade * (1 - 1e-9)) return step * decade;
  }
  return decade;
}
double round_above(double value) {
  return 1 / round_below(1 / value);
}

// The unit of what a chart counts, per `what`.
std::string unit_per(const Chart& chart, const std::string& what) {
  const auto integers = std::count_if(chart.ceilings.begin(), chart.ceilings.end(),
                                      [](const Ceiling& ceiling) { return ceiling.integers; });
  const std::string operations = "OP/" + what;
  const std::string flops = "FLOP/" + what;
  if (integers == 0) return flops;
  const bool all = integers == static_cast<long>(chart.ceilings.size());
  return all && chart.points.empty() ? operations : flops + ", " + operations;
}

}  // namespace

std::string rate_unit(const Chart& chart) {
  return unit_per(chart, "s");
}

std::string intensity_unit(const Chart& chart) {
  return unit_per(chart, "B");
}

Chart chart_of(const Machine& machine, const std::vector<Precision>& precisions) {
  Chart chart;
  chart.title = machine.name + (machine.measured ? " (measured)" : "");
  for (const Group& group : groups_of(machine, precisions)) {
    chart.ceilings.push_back({group.name(), group.rate, group.integers});
  }
  for (const MemoryLevel& level : machine.levels) {
    if (!level.bytes_per_second) continue;
    // A measured slope is for one mix of reads and writes.
    const std::string stream = measured_roof_name(level.provenance);
    const bool is_stream = machine.streams.contains(stream);
    chart.slopes.push_back(
        {is_stream ? level.name + ", " + stream : level.name, *level.bytes_per_second});
  }
  if (chart.ceilings.empty()) {
    throw std::invalid_argument(machine.name + " has no peak in the precisions asked for");
  }
  if (chart.slopes.empty()) throw std::invalid_argument(machine.name + " has no known bandwidth");
  return chart;
}

std::vector<Ridge> ridges_of(const Chart& chart) {
  if (chart.slopes.empty() || chart.ceilings.empty()) {
    throw std::invalid_argument("a roofline chart needs a ceiling and a slope");
  }
  // DRAM, the lowest slope, decides: its ridge is the one that classifies kernels.
  const double lowest = memory_roof(chart).bytes_per_second;
  std::vector<Ridge> ridges;
  for (const Ceiling& ceiling : chart.ceilings) {
    ridges.push_back({ceiling.name, ridge({ceiling.flops_per_second, lowest}),
                      ceiling.flops_per_second, ceiling.integers});
  }
  std::sort(ridges.begin(), ridges.end(),
            [](const Ridge& a, const Ridge& b) { return a.intensity < b.intensity; });
  return ridges;
}

Roof memory_roof(const Chart& chart) {
  Roof roof{0, std::numeric_limits<double>::infinity()};
  for (const Ceiling& ceiling : chart.ceilings) {
    roof.flops_per_second = std::max(roof.flops_per_second, ceiling.flops_per_second);
  }
  for (const Slope& slope : chart.slopes) {
    roof.bytes_per_second = std::min(roof.bytes_per_second, slope.bytes_per_second);
  }
  return roof;
}

double highest_bandwidth(const Chart& chart) {
  double highest = 0;
  for (const Slope& slope : chart.slopes) highest = std::max(highest, slope.bytes_per_second);
  return highest;
}

std::string at_least_note(const Chart& chart) {
  const bool any = std::any_of(chart.points.begin(), chart.points.end(),
                               [](const ChartPoint& point) { return point.at_least; });
  return any ? "open, with an arrow: at least, as not all FLOPs were counted" : "";
}

std::string advice_text(const Chart& chart, int columns) {
  const Roof roof = memory_roof(chart);
  std::vector<std::pair<std::string, std::string>> shared;  // advice, and whose it is
  for (const ChartPoint& point : chart.points) {
    if (point.at_least) continue;
    const std::string steps =
        next_steps(classify(roof, point.intensity),
                   point.flops_per_second / attainable(roof, point.intensity));
    const auto known = std::find_if(shared.begin(), shared.end(),
                                    [&](const auto& one) { return one.first == steps; });
    if (known == shared.end()) {
      shared.emplace_back(steps, point.name);
    } else {
      known->second += ", " + point.name;
    }
  }
  std::string text;
  for (const auto& [steps, names] : shared) {
    text += base::wrap(names + ": " + steps, static_cast<std::size_t>(columns), "  ", "    ");
  }
  return text.empty() ? text : "What to try next:\n" + text;
}

ChartRange range_of(const Chart& chart) {
  const std::vector<Ridge> ridges = ridges_of(chart);
  double low = ridges.front().intensity / kLeftOfRidges;
  double high = ridges.back().intensity * kRightOfRidges;
  double top = 0;
  for (const Ceiling& ceiling : chart.ceilings) top = std::max(top, ceiling.flops_per_second);
  for (const ChartPoint& point : chart.points) {
    low =
        std::min(low, require_positive(point.intensity, "intensity of " + point.name) / kRoomBelow);
    high = std::max(high, point.intensity * kRoomForName);
  }
  ChartRange range;
  range.intensity_low = round_below(low);
  range.intensity_high = round_above(high);
  // The lowest slope enters at the left edge, not at the bottom.
  double bottom = ridges.front().flops_per_second / ridges.front().intensity * range.intensity_low;
  for (const ChartPoint& point : chart.points) {
    bottom = std::min(
        bottom, require_positive(point.flops_per_second, "rate of " + point.name) / kRoomBelow);
    top = std::max(top, point.flops_per_second);
  }
  range.rate_low = round_below(bottom);
  range.rate_high = round_above(top * kRoomAbove);
  return range;
}

}  // namespace roofline
