// SPDX-License-Identifier: MIT
// The time predicted for every variant of a race on all of an H100, with unrolled code: CSV, or a
// comparison with such a file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

#include "base/csv.hpp"
#include "gpu/profile.hpp"
#include "race_csv.hpp"
#include "race_variants.hpp"
#include "roofline/kernel/kernel_time.hpp"
#include "roofline/machine.hpp"

namespace {

struct Options {
  std::filesystem::path data;  ///< folder of machines and measurements
  std::string only;            ///< part of an exercise's id or a variant's name
  std::string compare;         ///< a file with the times of an earlier run
};

/// Returns how many times differ from the file's.
int predict(const Options& options) {
  constexpr double kRounding = 1e-4;
  const roofline::Machine machine =
      roofline::load_machine(options.data / "machines" / "h100-sxm.toml");
  const roofline::Efficiencies reached = roofline::measured_efficiencies(options.data);
  std::map<std::string, double> expected;
  if (!options.compare.empty())
    expected = races::seconds_of_variants(base::CsvFile(options.compare));
  int differing = 0;
  int predicted = 0;
  if (options.compare.empty()) fmt::print("exercise,variant,seconds\n");
  for (const races::Variant& variant : races::variants()) {
    if ((variant.exercise + variant.name).find(options.only) == std::string::npos) continue;
    ++predicted;
    const std::function<void()> launch = variant.prepare();
    const vgpu::Profile profile = gpu::profile(roofline::geometry_of(machine), 0, launch);
    const double seconds =
        roofline::time_of(profile.launches.back(), machine, reached, roofline::Code::kUnrolled)
            .expected_seconds;
    if (options.compare.empty()) {
      fmt::print("\"{}\",\"{}\",{:.6g}\n", variant.exercise, variant.name, seconds);
      std::fflush(stdout);
      continue;
    }
    const double stored = expected.at(variant.exercise + variant.name);
    if (std::abs(seconds / stored - 1) <= kRounding) continue;
    fmt::print("{}, {}: {:.6g} s, and {} says {:.6g}\n", variant.exercise, variant.name, seconds,
               options.compare, stored);
    ++differing;
  }
  if (predicted == 0) throw std::runtime_error("there is no variant with " + options.only);
  return differing;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Predicts how long the variants of the exercises' races take on an H100.");
  app.add_option("--data", options.data, "The folder data of the course")->required();
  app.add_option("--only", options.only, "Part of an exercise's id or of a variant's name");
  app.add_option("--compare", options.compare, "Times of an earlier run, which must be the same");
  CLI11_PARSE(app, argc, argv);
  try {
    return predict(options) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "predict-races: {}\n", problem.what());
    return EXIT_FAILURE;
  }
}
