// SPDX-License-Identifier: MIT
// `roofline import`: profiler output as rooflines.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "commands.hpp"
#include "roofline/measurement.hpp"
#include "roofline/profile.hpp"
#include "roofline/units.hpp"

namespace roofline::program {
namespace {

constexpr int kExitIncomplete = 4;

struct Arguments {
  std::string file;
  std::string machine;
  std::string architecture;
  std::string out_file;
};

void print_kernel(const KernelProfile& kernel, const Machine* machine) {
  std::printf("%s  %s\n", kernel.id.c_str(), kernel.name.substr(0, 100).c_str());
  if (!kernel.counts) {
    std::printf("    no roofline: %s\n", kernel.problem.c_str());
    return;
  }
  const ProfilePoint point = place(*kernel.counts, machine);
  std::printf("    %s, %s from %s, ", format_quantity(kernel.counts->seconds, kSeconds).c_str(),
              format_quantity(kernel.counts->bytes.at(point.level), kBytes).c_str(),
              point.level.c_str());
  if (std::isfinite(point.intensity)) {
    std::printf("%.4g FLOP/B\n", point.intensity);
  } else {
    std::printf("cache-resident\n");
  }
  for (const auto& [kind, operations] : kernel.counts->operations) {
    if (operations == 0) continue;
    std::printf("    %-14s %s\n", kind.c_str(), format_quantity(operations, kOperations).c_str());
  }
  std::printf("    %s, %s", format_quantity(point.flops_per_second, kOperationsPerSecond).c_str(),
              format_quantity(point.bytes_per_second, kBytesPerSecond).c_str());
  if (point.bound) {
    std::printf(", %s-bound at %.0f %% of the roof", to_string(*point.bound),
                100 * point.fraction_of_roof);
  }
  std::printf("\n");
  for (const std::string& note : kernel.notes) std::printf("    note: %s\n", note.c_str());
}

int run(const Arguments& arguments) {
  std::optional<Machine> machine;
  if (!arguments.machine.empty()) {
    machine = load_machine(resolve_machine(arguments.machine, machine_folder()));
  }
  const Profile profile = import_profile(arguments.file, {arguments.architecture});
  const Machine* on = machine ? &*machine : nullptr;
  if (!arguments.out_file.empty()) {
    write_file_atomically(arguments.out_file, profile_json(profile, on));
  }
  for (const KernelProfile& kernel : profile.kernels) print_kernel(kernel, on);
  return profile.complete() ? 0 : kExitIncomplete;
}

}  // namespace

void add_import_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "import",
      "Read Nsight Compute, rocprofv3 or rocpd output (exit code 4: some kernels could "
      "not be counted)");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("file", arguments->file, "CSV or rocpd database")->required();
  command->add_option("--machine", arguments->machine,
                      "Place the kernels on this machine's roofline");
  command->add_option("--architecture", arguments->architecture,
                      "gfx90a, gfx942 or gfx950, where an AMD file does not show it");
  command->add_option("--out", arguments->out_file, "Write JSON to this file");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace roofline::program
