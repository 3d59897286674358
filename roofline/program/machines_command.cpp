// SPDX-License-Identifier: MIT
// `roofline machines`: lists the machines, or all figures of one with their sources.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/program.hpp"
#include "commands.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "roofline/units.hpp"

namespace roofline::program {
namespace {

/// Writes a quantity: format_quantity, or its variant for integer work.
using Format = std::string (*)(double, const Dimension&, int);

Format format_of(Precision precision) {
  return is_integer(precision) ? format_integer_work : format_quantity;
}

std::string peak_text(const Peak& peak) {
  return format_of(peak.precision)(peak.operations_per_second, kOperationsPerSecond, 5);
}

void list_all() {
  std::printf("%-18s %-36s %12s %14s\n", "id", "machine", "DRAM", "FP32 vector");
  for (const auto& file : machine_files(machine_folder())) {
    const Machine machine = load_machine(file);
    const Peak* peak = find_peak(machine, Precision::kFp32, Unit::kVector);
    std::printf("%-18s %-36s %12s %14s\n", machine.id.c_str(), machine.name.c_str(),
                format_quantity(bandwidth(machine), kBytesPerSecond).c_str(),
                peak ? peak_text(*peak).c_str() : "-");
  }
}

void show_provenance(const Provenance& provenance) {
  std::printf("  [%s] %s%s%s\n", to_string(provenance.confidence), provenance.source.c_str(),
              provenance.note.empty() ? "" : "; ", provenance.note.c_str());
}

/// "mma.sync", "library.e5m2".
constexpr int kWidthOfWay = 13;

void show(const Machine& machine) {
  std::printf("%s, %s\n", machine.name.c_str(), machine.architecture.c_str());
  for (const Peak& peak : machine.peaks) {
    const char* of = peak.sparse ? "sparse" : "dense";
    std::printf("  %-5s %-6s %-*s %16s", display_name(peak.precision).c_str(), to_string(peak.unit),
                machine.measured ? kWidthOfWay : 6,
                peak.reached_by.empty() ? of : peak.reached_by.c_str(), peak_text(peak).c_str());
    show_provenance(peak.provenance);
  }
  for (const MemoryLevel& level : machine.levels) {
    std::printf("  %-12s %12s %12s", level.name.c_str(),
                level.capacity_bytes ? format_quantity(*level.capacity_bytes, kBytes).c_str() : "",
                level.bytes_per_second
                    ? format_quantity(*level.bytes_per_second, kBytesPerSecond).c_str()
                    : "");
    show_provenance(level.provenance);
  }
}

/// Shows one figure of a datasheet next to the measured one, and whether both can be true. Returns
/// false if they cannot: no machine exceeds its peak by more than rounding, and if one stays far
/// below it, the description or the measurement is wrong.
bool show_pair(const std::string& what, double stated, double measured, const Dimension& dimension,
               Format format = format_quantity, const std::string& reached_by = "") {
  constexpr double kMost = 1.02;
  constexpr double kLeast = 0.3;
  const double share = measured / stated;
  const bool believable = share >= kLeast && share <= kMost;
  std::printf("  %-14s %16s %16s %8.1f %%%s%s%s\n", what.c_str(),
              format(stated, dimension, 4).c_str(), format(measured, dimension, 4).c_str(),
              100 * share, reached_by.empty() ? "" : "  by ", reached_by.c_str(),
              believable      ? ""
              : share > kMost ? "  above the peak"
                              : "  far below the peak");
  return believable;
}

/// Prints a line and returns false if a rate is not the product of its own parts.
bool show_parts(const std::string& what, double stated, const std::optional<double>& derived,
                const Dimension& dimension, Format format = format_quantity) {
  constexpr double kRounding = 0.02;
  if (!derived || std::abs(*derived / stated - 1) <= kRounding) return true;
  std::printf("  %-14s %16s is stated, and its parts give %s\n", what.c_str(),
              format(stated, dimension, 4).c_str(), format(*derived, dimension, 4).c_str());
  return false;
}

/// Compares a machine file with a measurement of the same machine. False if a pair cannot be true,
/// or if there is nothing to compare.
bool show_beside(const Machine& stated, const Machine& measured) {
  std::printf("%s\n  %-14s %16s %16s %10s\n", stated.name.c_str(), "", "stated", "measured",
              "share");
  bool believable = true;
  int pairs = 0;
  for (const Peak& peak : stated.peaks) {
    const Peak* own = find_peak(measured, peak.precision, peak.unit);
    if (peak.sparse || own == nullptr) continue;
    ++pairs;
    const std::string what = display_name(peak.precision) + " " + to_string(peak.unit);
    const Format format = format_of(peak.precision);
    believable &= show_parts(what, peak.operations_per_second, derived_rate(peak),
                             kOperationsPerSecond, format);
    believable &= show_pair(what, peak.operations_per_second, own->operations_per_second,
                            kOperationsPerSecond, format, own->reached_by);
  }
  for (const MemoryLevel& level : stated.levels) {
    if (level.name != "DRAM" || !level.bytes_per_second) continue;
    ++pairs;
    believable &=
        show_parts(level.name, *level.bytes_per_second, derived_rate(level), kBytesPerSecond);
    const std::string stream = measured_roof_name(memory_level(measured, level.name).provenance);
    believable &= show_pair(stream.empty() ? level.name : level.name + ", " + stream,
                            *level.bytes_per_second, bandwidth(measured), kBytesPerSecond);
  }
  if (pairs == 0) std::printf("  nothing that both of them state\n");
  return believable && pairs > 0;
}

}  // namespace

std::filesystem::path machine_folder() {
  return base::data_folder() / "machines";
}

void add_machines_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("machines", "List known machines, or show one");
  auto name = std::make_shared<std::string>();
  auto report = std::make_shared<std::string>();
  command->add_option("machine", *name, "Id of a machine or path of a machine file");
  command->add_option("--measured", *report,
                      "JSON of roofline measure on that machine, to compare with its figures; the "
                      "exit status is 1 if the two contradict each other");
  command->callback([name, report, &exit_code] {
    if (name->empty()) return list_all();
    const Machine machine = load_machine(resolve_machine(*name, machine_folder()));
    if (report->empty()) return show(machine);
    if (!show_beside(machine, load_machine(*report))) exit_code = 1;
  });
}

}  // namespace roofline::program
