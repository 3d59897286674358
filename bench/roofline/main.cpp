// SPDX-License-Identifier: MIT
// Alternates loops written by hand for this machine with `roofline measure --quick`, for several
// rounds, and prints ratios.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "native_rates.hpp"
#include "roofline/measurement.hpp"

namespace {

constexpr int kRounds = 5;
using bench::Rates;

/// What the program measured; no roofs if it failed.
roofline::Report report_of(const std::string& program) {
  const auto file = std::filesystem::temp_directory_path() /
                    ("bench-roofline-" + std::to_string(::getpid()) + ".json");
  const std::string command =
      program + " measure --quick --out " + file.string() + " >/dev/null 2>&1";
  if (std::system(command.c_str()) != 0) return {};
  return roofline::read_report(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench-roofline PATH-OF-ROOFLINE\n");
    return 2;
  }
  std::map<std::string, std::vector<double>> native, measured, ratios;
  for (int round = 0; round < kRounds; ++round) {
    const roofline::Report report = report_of(argv[1]);
    if (report.roofs.empty()) {
      std::fprintf(stderr, "bench-roofline: %s measure failed\n", argv[1]);
      return 1;
    }
    Rates by_program;
    for (const auto& roof : report.roofs) by_program[roof.name] = roof.rate.median;
    for (const auto& [name, rate] : bench::native_rates(report.device)) {
      if (rate == 0 || !by_program.count(name) || by_program.at(name) == 0) continue;
      native[name].push_back(rate);
      measured[name].push_back(by_program.at(name));
      ratios[name].push_back(by_program.at(name) / rate);
    }
  }
  std::printf("%-28s %12s %12s  ratio (5 %% to 95 %%), %d rounds\n", "", "by hand", "measured",
              kRounds);
  for (const auto& [name, values] : ratios) {
    const roofline::Spread spread = roofline::summarize(values);
    std::printf("%-28s %12.4g %12.4g  %.3f (%.3f to %.3f)\n", name.c_str(),
                roofline::summarize(native[name]).median,
                roofline::summarize(measured[name]).median, spread.median, spread.percentile_5,
                spread.percentile_95);
  }
  return 0;
}
