// SPDX-License-Identifier: MIT
// `roofline submit`: turns a measurement into a machine file that can be contributed.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/files.hpp"
#include "commands.hpp"
#include "roofline/measurement.hpp"
#include "roofline/submission.hpp"
#include "tables/paragraph.hpp"

namespace roofline::program {
namespace {

struct SubmitArguments {
  std::string report;
  std::string id;
  std::string out_file;
};

void run(const SubmitArguments& arguments) {
  const Report report = read_report(arguments.report);
  const std::string id = arguments.id.empty() ? machine_id(report.device.name) : arguments.id;
  std::optional<Machine> known;
  if (!report.device.datasheet.empty()) {
    known = load_machine(resolve_machine(report.device.datasheet, machine_folder()));
  }
  const std::string file = arguments.out_file.empty() ? id + ".toml" : arguments.out_file;
  const std::string text = submission_toml(report, id, known ? &*known : nullptr);
  if (std::filesystem::exists(file)) {
    throw std::runtime_error(file +
                             " exists already, and what was filled in there would be lost: name "
                             "another file with --out, or move it away");
  }
  base::write_file_atomically(file, text);
  const Machine written = load_machine(file);
  std::printf("%s: %zu measured roofs of %s\n", file.c_str(), report.roofs.size(),
              written.name.c_str());
  if (known) {
    print_paragraph("", "The stated part is that of data/machines/" + known->id + ".toml.");
  } else {
    print_paragraph("",
                    "The stated part is yours to fill in: its lines begin with '#'. Then check it: "
                    "roofline machines " +
                        file + " --measured " + arguments.report);
  }
}

}  // namespace

void add_submit_command(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand(
      "submit", "Write a machine file from a report, to be contributed to data/machines");
  auto arguments = std::make_shared<SubmitArguments>();
  command->add_option("report", arguments->report, "JSON report of roofline measure")->required();
  command->add_option("--id", arguments->id, "Id of the machine (default: from the device's name)");
  command->add_option("--out", arguments->out_file, "The file to write (default: ID.toml)");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace roofline::program
