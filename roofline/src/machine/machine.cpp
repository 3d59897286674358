// SPDX-License-Identifier: MIT
// Looking things up in a machine.
#include "roofline/machine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/text.hpp"
#include "roofline/checks.hpp"
#include "roofline/peaks.hpp"
#include "vgpu/geometry.hpp"

namespace roofline {
namespace {

/// The share of its bytes that each stream of `roofline measure` reads, most first.
constexpr std::array<std::pair<std::string_view, double>, 6> kReadShares = {{{"read", 1.0},
                                                                             {"add", 2.0 / 3},
                                                                             {"triad", 2.0 / 3},
                                                                             {"copy", 0.5},
                                                                             {"scale", 0.5},
                                                                             {"write", 0.0}}};

std::string list_of(const std::vector<std::string>& words) {
  return words.empty() ? "none" : base::joined(words);
}

std::string precisions_of(const Machine& machine) {
  std::vector<std::string> names;
  for (const Peak& peak : machine.peaks) {
    std::string name(to_string(peak.precision));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return list_of(names);
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
                              "'; it has " + list_of(names));
}

double bandwidth(const Machine& machine, std::string_view level) {
  const MemoryLevel& found = memory_level(machine, level);
  if (!found.bytes_per_second) {
    throw std::invalid_argument("the bandwidth of " + found.name + " of " + machine.name +
                                " is not known; measure it with: roofline measure");
  }
  return *found.bytes_per_second;
}

MemoryStream stream_of_mix(const Machine& machine, double bytes_read, double bytes_written) {
  const double total = require_not_negative(bytes_read, "bytes read") +
                       require_not_negative(bytes_written, "bytes written");
  const double share = total > 0 ? bytes_read / total : 1;
  MemoryStream best{"DRAM", 0};
  double least = 2;  // shares differ by 1 at most
  constexpr double kRounding = 1e-9;
  for (const auto& [name, read_share] : kReadShares) {
    const auto stream = machine.streams.find(std::string(name));
    if (stream == machine.streams.end()) continue;
    const double distance = std::abs(read_share - share);
    const bool is_as_near = std::abs(distance - least) < kRounding;
    if (is_as_near ? stream->second <= best.bytes_per_second : distance > least) continue;
    least = distance;
    best = {stream->first, stream->second};
  }
  if (best.bytes_per_second == 0) best.bytes_per_second = bandwidth(machine);
  return best;
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

Machine part_of(const Machine& machine, int multiprocessors) {
  if (!machine.multiprocessor || multiprocessors < 1 ||
      multiprocessors > machine.multiprocessor->count) {
    throw std::invalid_argument(machine.id + " has no " + std::to_string(multiprocessors) +
                                " multiprocessors");
  }
  Machine part = machine;
  const double share = double(multiprocessors) / machine.multiprocessor->count;
  part.multiprocessor->count = multiprocessors;
  part.multiprocessor->l2.bytes_per_clock *= share;
  for (Peak& peak : part.peaks) peak.operations_per_second *= share;
  for (MemoryLevel& level : part.levels) {
    if (level.instances > 1) {
      level.instances *= share;
    } else if (level.capacity_bytes) {
      *level.capacity_bytes *= share;
    }
    if (level.bytes_per_second) *level.bytes_per_second *= share;
  }
  return part;
}

vgpu::Geometry geometry_of(const Machine& machine) {
  if (!machine.multiprocessor) {
    throw std::invalid_argument(machine.id +
                                " cannot be a virtual GPU: its file has no [multiprocessor]");
  }
  const Multiprocessor& part = *machine.multiprocessor;
  const MemoryLevel& l2 = memory_level(machine, "L2");
  if (!l2.capacity_bytes) {
    throw std::invalid_argument(machine.id + " cannot be a virtual GPU: its L2 has no capacity");
  }
  vgpu::Geometry geometry;
  geometry.machine = machine.id;
  geometry.lanes = part.lanes;
  geometry.multiprocessors = part.count;
  geometry.max_threads = part.resident.max_threads;
  geometry.max_blocks = part.resident.max_blocks;
  geometry.registers = part.resident.registers;
  geometry.registers_granularity = part.resident.registers_granularity;
  geometry.shared_bytes = part.shared.bytes;
  geometry.shared_bytes_reserved = part.shared.reserved;
  geometry.shared_granularity = part.shared.granularity;
  geometry.l1_bytes = part.l1.bytes;
  geometry.l1_holds_shared = part.l1.holds_shared;
  geometry.l2_bytes = static_cast<std::int64_t>(*l2.capacity_bytes * l2.instances);
  geometry.l2_partitions = part.l2.partitions;
  geometry.banks = part.shared.banks;
  geometry.sector_bytes = part.l1.sector_bytes;
  geometry.line_bytes = part.l1.line_bytes;
  geometry.dram_fetch_bytes = part.dram.fetch_bytes;
  return geometry;
}

}  // namespace roofline
