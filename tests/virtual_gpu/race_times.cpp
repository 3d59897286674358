// SPDX-License-Identifier: MIT
// How much the variants of a race differ on a real GPU, from what time_variants.cu printed there.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "base/csv.hpp"

namespace {

/// The variants of an exercise at one size; the first one is like the solution.
struct Race {
  std::string exercise, size;
  std::vector<double> seconds{};
};

std::vector<Race> races_of(const base::CsvFile& times) {
  std::vector<Race> races;
  for (std::size_t row = 0; row < times.size(); ++row) {
    const std::string& exercise = times.field(row, "exercise");
    const std::string& variant = times.field(row, "variant");
    const std::size_t at = variant.rfind("n = ");
    const std::string size = at == std::string::npos ? "" : variant.substr(at);
    if (races.empty() || races.back().exercise != exercise || races.back().size != size) {
      races.push_back({exercise, size});
    }
    races.back().seconds.push_back(std::stod(times.field(row, "seconds")));
  }
  return races;
}

void print(const std::string& file) {
  fmt::print("{:<37} {:>8} {:>12} {:>12} {:>12}\n", "times in us", "variants", "solution",
             "fastest", "slowest");
  for (const Race& race : races_of(base::CsvFile(file))) {
    const auto [fastest, slowest] = std::ranges::minmax(race.seconds);
    fmt::print("{:<25} {:<11} {:>8} {:>12.1f} {:>12.1f} {:>12.1f}\n", race.exercise, race.size,
               race.seconds.size(), 1e6 * race.seconds.front(), 1e6 * fastest, 1e6 * slowest);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: race-times CSV\n");
    return EXIT_FAILURE;
  }
  try {
    print(argv[1]);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "race-times: {}\n", problem.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
