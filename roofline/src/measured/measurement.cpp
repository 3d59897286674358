// SPDX-License-Identifier: MIT
// Spread of samples, CSV, and the machine behind a report.
#include "roofline/measurement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "base/csv.hpp"
#include "roofline/checks.hpp"

namespace roofline {
namespace {

std::string optional_number(const std::optional<double>& value) {
  std::ostringstream text;
  text.precision(10);
  if (value) text << *value;
  return text.str();
}

// A measured rate may exceed its limit only by the rounding of the datasheet and of the clock.
constexpr double kAboveLimit = 1.02;

constexpr std::array<std::string_view, 4> kLevelOrder = {"L1", "L2", "LLC", "DRAM"};
constexpr int kLevels = static_cast<int>(kLevelOrder.size());

int distance_from_core(const std::string& level) {
  return static_cast<int>(std::find(kLevelOrder.begin(), kLevelOrder.end(), level) -
                          kLevelOrder.begin());
}

MemoryLevel& level_of(Machine& machine, const std::string& name) {
  for (MemoryLevel& level : machine.levels) {
    if (level.name == name) return level;
  }
  machine.levels.push_back({});
  machine.levels.back().name = name;
  return machine.levels.back();
}

constexpr std::string_view kMeasuredAs = "roofline measure: ";

Provenance measured_as(const MeasuredRoof& roof, const std::string& note) {
  return {std::string(kMeasuredAs) + roof.name, Confidence::kMeasured, note};
}

/// How well a roof of DRAM represents kernels in general. A cache still serves part of a slightly
/// larger working set, and hardly any kernel only writes, so a stream that reads is preferred to
/// both.
enum DramRank { kRung, kWriteOnly, kReading };
DramRank dram_rank(std::string_view name) {
  if (name.starts_with("ladder.")) return kRung;
  return name == "write" ? kWriteOnly : kReading;
}

bool is_better(const MeasuredRoof& roof, const MemoryLevel& level) {
  if (!level.bytes_per_second) return true;
  const bool is_higher = roof.rate.median > *level.bytes_per_second;
  if (roof.level != "DRAM") return is_higher;
  const DramRank rank = dram_rank(roof.name);
  const DramRank before = dram_rank(measured_roof_name(level.provenance));
  if (rank != before) return rank > before;
  return rank == kRung || is_higher;  // the largest rung comes last
}

void add_bandwidth(Machine& machine, const MeasuredRoof& roof) {
  if (distance_from_core(roof.level) == kLevels) return;  // between two levels
  if (roof.level == "DRAM" && dram_rank(roof.name) != kRung) {
    machine.streams[roof.name] = roof.rate.median;
  }
  MemoryLevel& level = level_of(machine, roof.level);
  if (!is_better(roof, level)) return;
  level.bytes_per_second = roof.rate.median;
  level.provenance = measured_as(roof, roof.note);
}

/// True for the vendor's matrix product.
bool is_product(const MeasuredRoof& roof) {
  return roof.kind == RoofKind::kCompute && roof.refused.empty() && roof.name.ends_with(".gemm");
}

/// "mma.sync", "wgmma", or "library" for the vendor's product. Empty for vector units, where only
/// one instruction is measured.
std::string reached_by(const MeasuredRoof& roof) {
  constexpr std::string_view kProduct = ".gemm";
  const auto product = roof.name.find(kProduct);
  if (product != std::string::npos) {
    const std::string variant = roof.name.substr(product + kProduct.size());  // ".e5m2"
    return variant.empty() ? "library" : "library" + variant;
  }
  if (roof.unit != Unit::kMatrix) return {};
  // The note of a matrix instruction starts with its name.
  return roof.note.substr(0, roof.note.find(' '));
}

void add_peak(Machine& machine, const MeasuredRoof& roof) {
  Peak peak;
  peak.precision = roof.precision.value();
  peak.unit = roof.unit.value();
  peak.operations_per_second = roof.rate.median;
  peak.provenance = measured_as(roof, roof.configuration);
  peak.reached_by = reached_by(roof);
  machine.peaks.push_back(peak);
}

void add_energy(Machine& machine, const Report& report) {
  if (!report.energy || !report.energy->fit) return;
  machine.energy = MeasuredEnergyCosts{{report.energy->fit->costs}, {}};
  for (const MeasuredRoof& roof : report.roofs) {
    if (is_product(roof) && roof.power) {
      machine.energy->products[roof.precision.value()] = {roof.power->joules_per_unit,
                                                          roof.power->watts, metered_share(roof)};
    }
  }
}

}  // namespace

void apply_limits(MeasuredRoof& roof, const RoofLimits& limits) {
  roof.datasheet = limits.datasheet;
  roof.limit = limits.at_clock;
  if (!limits.possible || !roof.refused.empty()) return;
  // Negated, so that NaN is refused.
  if (roof.rate.median <= kAboveLimit * *limits.possible) return;
  std::ostringstream text;
  text.precision(4);
  text << 100 * roof.rate.median / *limits.possible
       << " % of what the device can do; the measurement is wrong";
  roof.refused = text.str();
}

double percentile(const std::vector<double>& sorted, double fraction) {
  const double place = fraction * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double weight = place - static_cast<double>(below);
  return sorted[below] * (1 - weight) + sorted[above] * weight;
}

Spread summarize(std::vector<double> samples) {
  if (samples.empty()) throw std::invalid_argument("no samples to summarise");
  for (const double sample : samples) {
    if (!std::isfinite(sample)) throw std::invalid_argument("a sample is not a finite number");
  }
  std::sort(samples.begin(), samples.end());
  return {percentile(samples, 0.5), percentile(samples, 0.05), percentile(samples, 0.95),
          static_cast<int>(samples.size())};
}

double metered_share(const MeasuredRoof& roof) {
  if (!roof.power) throw std::invalid_argument(roof.name + " has no power");
  const double metered = roof.power->watts / roof.power->joules_per_unit;
  return metered / roof.sustained.value_or(roof.rate.median);
}

const char* to_string(RoofKind kind) {
  switch (kind) {
    case RoofKind::kBandwidth:
      return "bandwidth";
    case RoofKind::kCompute:
      return "compute";
    case RoofKind::kLatency:
      return "latency";
    case RoofKind::kOperationRate:
      return "operations";
  }
  throw std::invalid_argument("not a value of roofline::RoofKind");
}

const char* base_unit(const MeasuredRoof& roof) {
  if (roof.kind == RoofKind::kBandwidth) return "B/s";
  if (roof.kind == RoofKind::kLatency) return "s";
  if (roof.kind == RoofKind::kOperationRate) return "OP/s";
  return roof.precision && is_integer(*roof.precision) ? "OP/s" : "FLOP/s";
}

std::string report_csv(const Report& report) {
  std::ostringstream csv;
  csv.precision(10);
  csv << "name,kind,level,precision,unit,median,percentile_5,percentile_95,samples,base_unit,"
         "working_set_bytes,datasheet,limit,configuration,refused,note,watts,joules_per_unit,"
         "reported_clock_hz,held_back_by,sustained\n";
  for (const MeasuredRoof& roof : report.roofs) {
    csv << roof.name << ',' << to_string(roof.kind) << ',' << roof.level << ','
        << (roof.precision ? to_string(*roof.precision) : "") << ','
        << (roof.unit ? to_string(*roof.unit) : "") << ',' << roof.rate.median << ','
        << roof.rate.percentile_5 << ',' << roof.rate.percentile_95 << ',' << roof.rate.samples
        << ',' << base_unit(roof) << ',' << roof.working_set_bytes << ','
        << optional_number(roof.datasheet) << ',' << optional_number(roof.limit) << ','
        << base::csv_field(roof.configuration) << ',' << base::csv_field(roof.refused) << ','
        << base::csv_field(roof.note) << ',';
    if (roof.power) {
      csv << roof.power->watts << ',' << roof.power->joules_per_unit << ','
          << optional_number(roof.power->clock_hz) << ','
          << base::csv_field(roof.power->held_back_by);
    } else {
      csv << ",,,";
    }
    csv << ',' << optional_number(roof.sustained) << '\n';
  }
  return csv.str();
}

std::string measured_roof_name(const Provenance& provenance) {
  if (!provenance.source.starts_with(kMeasuredAs)) return {};
  return provenance.source.substr(kMeasuredAs.size());
}

Machine machine_from_report(const Report& report) {
  Machine machine;
  machine.id = "measured";
  machine.name = report.device.name;
  machine.kind = report.device.backend == "cpu" ? "cpu" : "gpu";
  machine.architecture = report.device.architecture;
  machine.measured = true;
  for (const MeasuredRoof& roof : report.roofs) {
    if (!roof.refused.empty()) continue;
    if (roof.kind == RoofKind::kBandwidth) add_bandwidth(machine, roof);
    if (roof.kind == RoofKind::kCompute) add_peak(machine, roof);
    if (is_product(roof)) {
      machine.products[roof.precision.value()] = roof.rate.median;
      if (roof.sustained) machine.sustained_products[roof.precision.value()] = *roof.sustained;
    }
    if (roof.kind == RoofKind::kLatency && roof.name == "launch") {
      machine.launch_overhead_seconds = roof.rate.median;
    }
  }
  add_energy(machine, report);
  std::stable_sort(machine.levels.begin(), machine.levels.end(),
                   [](const MemoryLevel& a, const MemoryLevel& b) {
                     return distance_from_core(a.name) < distance_from_core(b.name);
                   });
  for (MemoryLevel& level : machine.levels) {
    if (level.name == "DRAM") level.capacity_bytes = report.device.memory_bytes;
    if (level.name == "LLC") level.capacity_bytes = report.device.last_level_cache_bytes;
  }
  return machine;
}

}  // namespace roofline
