// SPDX-License-Identifier: MIT
// Command line of PROGRAM-checked --profile; `lab profile` calls it and shows the output.
#include "profile_program.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <stdexcept>
#include <string>

#include "base/files.hpp"
#include "base/help.hpp"
#include "benchmark.hpp"
#include "harness/unsolved.hpp"
#include "integer_options.hpp"
#include "registry.hpp"

namespace harness {
namespace {

constexpr int kExitUnsolved = 3;
constexpr std::int64_t kLargestUnasked = std::int64_t{1} << 22;

struct Options {
  std::string entry;
  std::int64_t n = 0;
  IntegerOptions integers;
  std::string geometry_file;
  int registers = 0;
  std::string out_file;
};

void run(const Options& options) {
  if (registry().labs.empty()) {
    throw std::runtime_error("it has no HARNESS_LAB, which says how the kernel is started");
  }
  const LabEntry& entry = options.entry.empty() ? registry().labs.front() : find_lab(options.entry);
  const std::string geometry = base::read_file(options.geometry_file);
  entry.device->imitate(geometry);
  const std::int64_t n = options.n > 0 ? options.n : std::min(default_size(entry), kLargestUnasked);
  std::vector<std::int64_t> integers = default_integers(entry, n);
  for (std::size_t i = 0; i < std::min(integers.size(), options.integers.size()); ++i) {
    if (!options.integers[i].empty()) integers[i] = options.integers[i].front();
  }
  base::write_file_atomically(options.out_file,
                              profile(entry, n, integers, geometry, options.registers));
}

}  // namespace

int profile_main(int argc, char** argv) {
  Options options;
  CLI::App app("Profiles a kernel as a GPU of the given geometry would run it.");
  base::fit_help(app);
  bool profiles = false;
  app.add_flag("--profile", profiles, "This mode");
  app.add_option("--entry", options.entry,
                 "Which entry, if the program has several; its first by default");
  app.add_option("--n", options.n, "Size of the problem")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  add_integer_options(app, options.integers);
  app.add_option("--geometry", options.geometry_file, "The GPU's sizes, as JSON")->required();
  app.add_option("--registers", options.registers,
                 "Registers a thread uses, as the GPU's compiler reports")
      ->check(CLI::Range(0, 255));
  app.add_option("--out", options.out_file, "Where to write the profile, as JSON")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
    return 0;
  } catch (const Unsolved& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return kExitUnsolved;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

}  // namespace harness
