// SPDX-License-Identifier: MIT
// Compares the virtual GPU's counts for the labs' own kernels, right ones and wrong ones, with the
// counters of a real one, as written by count_labs.py.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "comparison.hpp"

namespace {

namespace fs = std::filesystem;

const std::vector<comparison::Exception> kExceptions = {};

/// A line of labs.txt, with the counters of its launches.
struct Lab {
  std::string topic, program, entry, n, variant, options;
  std::vector<comparison::Counters> launches{};

  std::string name() const {
    return entry + ", n = " + n + (variant == "-" ? "" : ", " + variant) + options;
  }
  fs::path checked_program(const fs::path& build) const {
    const fs::path bin = build / "bin";
    return (variant == "-" ? bin / "solutions"
                           : bin / "tests" / "wrong" / topic / program / variant) /
           topic / (program + "-checked");
  }
};

Lab lab_of(const std::string& line) {
  Lab lab;
  std::istringstream words(line);
  words >> lab.topic >> lab.program >> lab.entry >> lab.n >> lab.variant;
  if (!words) throw std::runtime_error("this is no line of labs.txt: " + line);
  std::getline(words, lab.options);
  return lab;
}

std::vector<Lab> labs_of(const std::string& file) {
  const base::CsvTable table = base::parse_csv(base::read_file(file));
  std::vector<Lab> labs;
  for (const base::CsvRow& row : table.rows) {
    if (row.front() == "ID") continue;
    if (row.front() == "lab") {
      labs.push_back(lab_of(row.at(1)));
    } else if (!labs.empty()) {
      labs.back().launches.push_back(comparison::counters_of(table.rows.front(), row));
    }
  }
  return labs;
}

struct Options : comparison::Options {
  std::string build, folder;
};

/// Runs the checked program, unless its profile already exists.
vgpu::Profile profile_of(const Options& options, const Lab& lab, std::size_t number,
                         const fs::path& geometry) {
  const fs::path kept = fs::path(options.folder) / (std::to_string(number) + ".json");
  if (!fs::exists(kept)) {
    const int registers = static_cast<int>(lab.launches.front().at("launch__registers_per_thread"));
    const std::string command =
        fmt::format("'{}' --profile --entry {} --n {} --registers {} --geometry '{}' --out '{}'{}",
                    lab.checked_program(options.build).string(), lab.entry, lab.n, registers,
                    geometry.string(), kept.string(), lab.options);
    if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
  }
  return vgpu::profile_from_json(base::read_file(kept));
}

std::vector<comparison::Row> measure(const Options& options) {
  const comparison::Machine machine = comparison::load_machine(options.machine, options.measured);
  const std::vector<comparison::Figure> figures = comparison::figures(machine);
  fs::create_directories(options.folder);
  const fs::path geometry = fs::path(options.folder) / "geometry.json";
  base::write_file_atomically(geometry, vgpu::to_json(roofline::geometry_of(machine.machine)));
  const std::vector<Lab> labs = labs_of(options.counters);
  std::vector<comparison::Row> rows;
  for (std::size_t i = 0; i < labs.size(); ++i) {
    const Lab& lab = labs[i];
    if (!options.only.empty() &&
        std::ranges::find(options.only, lab.program) == options.only.end()) {
      continue;
    }
    fmt::print(stderr, "{} of {}: {}\n", i + 1, labs.size(), lab.name());
    const vgpu::Profile profile = profile_of(options, lab, i, geometry);
    if (profile.launches.size() != lab.launches.size()) {
      throw std::runtime_error(fmt::format("{} launches {} kernels here, and {} on the GPU",
                                           lab.name(), profile.launches.size(),
                                           lab.launches.size()));
    }
    for (std::size_t k = 0; k < lab.launches.size(); ++k) {
      const std::string which = lab.launches.size() == 1 ? "" : fmt::format(" ({})", k + 1);
      comparison::add_rows(rows, figures, lab.name() + which, profile.launches[k], lab.launches[k]);
    }
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Compares the labs' kernels on the virtual GPU with a real one's counters.");
  comparison::add_options(app, options);
  app.add_option("--build", options.build, "The build tree with the checked programs");
  app.add_option("--folder", options.folder,
                 "For profiles; those that are there are not taken again");
  CLI11_PARSE(app, argc, argv);
  return comparison::compare("compare-labs", options, kExceptions,
                             [&] { return measure(options); });
}
