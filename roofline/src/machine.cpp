// SPDX-License-Identifier: MIT
// Looking things up in a machine.
#include "roofline/machine.hpp"

#include <algorithm>
#include <stdexcept>

#include "roofline/peaks.hpp"

namespace roofline {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

std::string precisions_of(const Machine& machine) {
  std::vector<std::string> names;
  for (const Peak& peak : machine.peaks) {
    std::string name(to_string(peak.precision));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return joined(names);
}

}  // namespace

const char* to_string(Confidence confidence) {
  switch (confidence) {
    case Confidence::kCrossChecked:
      return "cross-checked";
    case Confidence::kUnchecked:
      return "unchecked";
    case Confidence::kMeasured:
      return "measured";
  }
  throw std::invalid_argument("not a value of roofline::Confidence");
}

const Peak* find_peak(const Machine& machine, Precision precision, Unit unit, bool sparse) {
  const Peak* best = nullptr;
  for (const Peak& peak : machine.peaks) {
    if (peak.precision != precision || peak.unit != unit || peak.sparse != sparse) continue;
    if (!best || peak.operations_per_second > best->operations_per_second) best = &peak;
  }
  return best;
}

const Peak& best_peak(const Machine& machine, Precision precision) {
  const Peak* vector = find_peak(machine, precision, Unit::kVector);
  const Peak* matrix = find_peak(machine, precision, Unit::kMatrix);
  if (!vector && !matrix) {
    throw std::invalid_argument(machine.name + " has no dense " + display_name(precision) +
                                " peak; it has " + precisions_of(machine));
  }
  if (!vector) return *matrix;
  if (!matrix) return *vector;
  return matrix->operations_per_second > vector->operations_per_second ? *matrix : *vector;
}

const MemoryLevel& memory_level(const Machine& machine, std::string_view name) {
  std::vector<std::string> names;
  for (const MemoryLevel& level : machine.levels) {
    if (level.name == name) return level;
    names.push_back(level.name);
  }
  throw std::invalid_argument(machine.name + " has no memory level '" + std::string(name) +
                              "'; it has " + joined(names));
}

double bandwidth(const Machine& machine, std::string_view level) {
  const MemoryLevel& found = memory_level(machine, level);
  if (!found.bytes_per_second) {
    throw std::invalid_argument("the bandwidth of " + found.name + " of " + machine.name +
                                " is not known; measure it with: roofline measure");
  }
  return *found.bytes_per_second;
}

Roof roof_of(const Machine& machine, Precision precision, std::string_view level) {
  return {best_peak(machine, precision).operations_per_second, bandwidth(machine, level)};
}

std::optional<double> derived_rate(const Peak& peak) {
  if (!peak.parts || !peak.clock_hz) return std::nullopt;
  return vector_peak(peak.parts->units, peak.parts->operations_per_clock, *peak.clock_hz, 1);
}

std::optional<double> derived_rate(const MemoryLevel& level) {
  if (!level.parts) return std::nullopt;
  return memory_peak(level.parts->transfers_per_second, level.parts->bus_bits, 1);
}

}  // namespace roofline
