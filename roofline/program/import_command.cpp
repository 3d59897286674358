// SPDX-License-Identifier: MIT
// `roofline import`: profiler output as rooflines.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/files.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "commands.hpp"
#include "roofline/advice.hpp"
#include "roofline/kernel/kernel_name.hpp"
#include "roofline/measurement.hpp"
#include "roofline/profile.hpp"
#include "roofline/units.hpp"
#include "tables/paragraph.hpp"

namespace roofline::program {
namespace {

constexpr int kExitIncomplete = 4;

struct ImportArguments {
  std::string file;
  std::string machine;
  std::string architecture;
  std::string out_file;
};

void print_operations(const KernelCounts& counts) {
  for (const auto& [kind, operations] : counts.operations) {
    const bool part = counts.uncounted.count(kind) > 0;
    if (operations == 0 && !part) continue;
    const bool integers = kind.starts_with("int");
    const std::string amount = integers ? format_integer_work(operations, kOperations)
                                        : format_quantity(operations, kOperations);
    const std::string text = operations == 0 ? "unknown" : amount;
    std::printf("    %-14s %s%s\n", kind.c_str(), part && operations > 0 ? "at least " : "",
                text.c_str());
  }
}

void print_kernel(const KernelProfile& kernel, const Machine* machine) {
  std::printf("%s  %s\n", kernel.id.c_str(), short_kernel_name(kernel.name).c_str());
  if (!kernel.counts) {
    print_paragraph("    no roofline: ", kernel.problem);
    return;
  }
  const KernelCounts& counts = *kernel.counts;
  const ProfilePoint point = place(counts, machine);
  const char* at_least = counts.uncounted.empty() ? "" : "at least ";
  std::printf("    %s, %s from %s, ", format_quantity(counts.seconds, kSeconds).c_str(),
              format_quantity(counts.bytes.at(point.level), kBytes).c_str(), point.level.c_str());
  if (!counts.flops_known()) {
    std::printf("FLOPs unknown\n");
  } else if (std::isfinite(point.intensity)) {
    std::printf("%s%.4g FLOP/B\n", at_least, point.intensity);
  } else {
    std::printf("cache-resident\n");
  }
  print_operations(counts);
  std::printf("    ");
  if (counts.flops_known()) {
    std::printf("%s%s, ", at_least,
                format_quantity(point.flops_per_second, kOperationsPerSecond).c_str());
  }
  std::printf("%s", format_quantity(point.bytes_per_second, kBytesPerSecond).c_str());
  if (point.bound) {
    std::printf(", %s-bound%s %.0f %% of the roof", to_string(*point.bound),
                counts.uncounted.empty() ? " at" : ", at least", 100 * point.fraction_of_roof);
  } else if (point.fraction_of_roof > 0) {
    std::printf(
        counts.flops_known() ? ", at least %.0f %% of the roof" : ", %.0f %% of the memory roof",
        100 * point.fraction_of_roof);
  }
  std::printf("\n");
  if (!counts.uncounted.empty()) {
    const char* open = machine && !point.bound ? "; the bound is not known" : "";
    print_paragraph("    not counted: ", uncounted_text(counts) + open);
  }
  if (point.bound && counts.uncounted.empty()) {
    print_paragraph("    try next: ", next_steps(*point.bound, point.fraction_of_roof));
  }
  for (const std::string& note : kernel.notes) print_paragraph("    note: ", note);
}

int run(const ImportArguments& arguments) {
  std::optional<Machine> machine;
  if (!arguments.machine.empty()) {
    machine = load_machine(resolve_machine(arguments.machine, machine_folder()));
  }
  const Profile profile = import_profile(arguments.file, {arguments.architecture});
  const Machine* on = machine ? &*machine : nullptr;
  if (!arguments.out_file.empty()) {
    base::write_file_atomically(arguments.out_file, profile_json(profile, on));
  }
  for (const KernelProfile& kernel : profile.kernels) print_kernel(kernel, on);
  if (!profile.rerun.empty()) {
    std::printf("\nTo count what is missing, run (with the program's arguments):\n");
    std::fputs(base::wrap_command(profile.rerun, base::kMostColumns).c_str(), stdout);
  }
  return profile.complete() ? 0 : kExitIncomplete;
}

}  // namespace

void add_import_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "import",
      "Read Nsight Compute, rocprofv3 or rocpd output (exit code 4: some kernels could "
      "not be counted)");
  auto arguments = std::make_shared<ImportArguments>();
  command->add_option("file", arguments->file, "CSV, .ncu-rep (needs ncu) or rocpd database")
      ->required();
  command->add_option("--machine", arguments->machine,
                      "Place the kernels on this machine's roofline");
  command->add_option("--architecture", arguments->architecture,
                      "gfx90a, gfx942 or gfx950, if an AMD file does not say");
  command->add_option("--out", arguments->out_file, "Write JSON to this file");
  command->callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace roofline::program
