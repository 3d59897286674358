// SPDX-License-Identifier: MIT
// Runs the native loops and `roofline measure --quick` in turn, several rounds, and prints ratios.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "native_loops.hpp"
#include "roofline/measurement.hpp"

namespace {

constexpr int kRounds = 5;
constexpr int kSamples = 20;
// As `roofline measure --quick` takes for caches up to 32 MiB.
constexpr std::size_t kElements = std::size_t{128} * 1024 * 1024 / sizeof(double);

template <class Measure>
double median_of(int count, const Measure& measure) {
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) samples.push_back(measure());
  return roofline::summarize(samples).median;
}

using Rates = std::map<std::string, double>;

Rates native_rates() {
  bench::Stream stream(kElements);
  const double bytes = static_cast<double>(kElements) * sizeof(double);
  const double triad = median_of(kSamples, [&] { return stream.triad(); });
  const double streaming = median_of(kSamples, [&] { return stream.triad_streaming(); });
  const double read = median_of(kSamples, [&] { return stream.read(); });
  return {{"triad, ordinary stores", 3 * bytes / triad},
          {"triad, non-temporal stores", streaming > 0 ? 3 * bytes / streaming : 0},
          {"read", bytes / read},
          {"fp32.vector", bench::best_fma_fp32()},
          {"fp64.vector", bench::best_fma_fp64()}};
}

Rates measured_rates(const std::string& program) {
  const auto file = std::filesystem::temp_directory_path() / "bench-roofline.json";
  const std::string command =
      program + " measure --quick --out " + file.string() + " >/dev/null 2>&1";
  if (std::system(command.c_str()) != 0) return {};
  Rates rates;
  for (const auto& roof : roofline::read_report(file).roofs) rates[roof.name] = roof.rate.median;
  rates["triad, non-temporal stores"] = rates["triad"];
  rates["triad, ordinary stores"] = rates["triad.ordinary"];
  return rates;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: bench-roofline PATH-OF-ROOFLINE\n");
    return 2;
  }
  std::map<std::string, std::vector<double>> native, measured, ratios;
  for (int round = 0; round < kRounds; ++round) {
    const Rates by_hand = native_rates();
    const Rates by_program = measured_rates(argv[1]);
    if (by_program.empty()) {
      std::fprintf(stderr, "bench-roofline: %s measure failed\n", argv[1]);
      return 1;
    }
    for (const auto& [name, rate] : by_hand) {
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
