// SPDX-License-Identifier: MIT
// `roofline machines`: lists the machines, or all figures of one with their sources.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "commands.hpp"
#include "roofline/machine.hpp"
#include "roofline/units.hpp"

namespace roofline::program {
namespace {

std::string rate_text(const Peak& peak) {
  std::string text = format_quantity(peak.operations_per_second, kOperationsPerSecond, 5);
  if (is_integer(peak.precision)) text.replace(text.find("FLOP"), 4, "OP");
  return text;
}

void list_all() {
  std::printf("%-18s %-36s %12s %14s\n", "id", "machine", "DRAM", "FP32 vector");
  for (const auto& file : machine_files(machine_folder())) {
    const Machine machine = load_machine(file);
    const Peak* peak = find_peak(machine, Precision::kFp32, Unit::kVector);
    std::printf("%-18s %-36s %12s %14s\n", machine.id.c_str(), machine.name.c_str(),
                format_quantity(bandwidth(machine), kBytesPerSecond).c_str(),
                peak ? rate_text(*peak).c_str() : "-");
  }
}

void show_provenance(const Provenance& provenance) {
  std::printf("  [%s] %s%s%s\n", to_string(provenance.confidence), provenance.source.c_str(),
              provenance.note.empty() ? "" : "; ", provenance.note.c_str());
}

void show(const Machine& machine) {
  std::printf("%s, %s\n", machine.name.c_str(), machine.architecture.c_str());
  for (const Peak& peak : machine.peaks) {
    std::printf("  %-5s %-6s %-6s %16s", display_name(peak.precision).c_str(), to_string(peak.unit),
                peak.sparse ? "sparse" : "dense", rate_text(peak).c_str());
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

}  // namespace

std::filesystem::path machine_folder() {
  const char* data = std::getenv("ROOFLINE_DATA");
  return std::filesystem::path(data ? data : RL_DATA_FOLDER) / "machines";
}

void add_machines_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("machines", "List known machines, or show one");
  auto name = std::make_shared<std::string>();
  command->add_option("machine", *name, "Id of a machine or path of a machine file");
  command->callback([name] {
    if (name->empty()) return list_all();
    show(load_machine(resolve_machine(*name, machine_folder())));
  });
}

}  // namespace roofline::program
