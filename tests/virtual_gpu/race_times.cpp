// SPDX-License-Identifier: MIT
// How much the variants of a race differ on a real GPU, from what time_variants.cu printed there,
// beside the times that predict_races.cpp printed.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "comparison.hpp"
#include "race_csv.hpp"

namespace {

/// The variants of an exercise at one size; the first one is like the solution.
struct Race {
  std::string exercise, size;
  std::vector<double> seconds{}, predicted{};
};

std::vector<Race> races_of(const base::CsvFile& times, const base::CsvFile& predictions) {
  const std::map<std::string, double> predicted = races::seconds_of_variants(predictions);
  std::vector<Race> races;
  for (std::size_t row = 0; row < times.size(); ++row) {
    const std::string& exercise = times.field(row, "exercise");
    const std::string& variant = times.field(row, "variant");
    const auto found = predicted.find(exercise + variant);
    if (found == predicted.end()) {
      throw std::runtime_error(exercise + ", " + variant + ": no time was predicted");
    }
    const std::size_t at = variant.rfind("n = ");
    const std::string size = at == std::string::npos ? "" : variant.substr(at);
    if (races.empty() || races.back().exercise != exercise || races.back().size != size) {
      races.push_back({exercise, size});
    }
    races.back().seconds.push_back(std::stod(times.field(row, "seconds")));
    races.back().predicted.push_back(found->second);
  }
  return races;
}

/// How well the predictions order an exercise's variants of all sizes.
double ranks_of(const std::vector<Race>& races, const std::string& exercise) {
  std::vector<double> seconds, predicted;
  for (const Race& race : races) {
    if (race.exercise != exercise) continue;
    seconds.insert(seconds.end(), race.seconds.begin(), race.seconds.end());
    predicted.insert(predicted.end(), race.predicted.begin(), race.predicted.end());
  }
  return comparison::rank_correlation(seconds, predicted);
}

/// "  8.9    7.4   15.3": the first, the shortest and the longest, in us.
std::string figures_of(const std::vector<double>& seconds) {
  const auto [fastest, slowest] = std::ranges::minmax(seconds);
  return fmt::format("{:>9.1f} {:>7.1f} {:>7.1f}", 1e6 * seconds.front(), 1e6 * fastest,
                     1e6 * slowest);
}

void print(const std::string& measured, const std::string& predicted) {
  const std::vector<Race> races = races_of(base::CsvFile(measured), base::CsvFile(predicted));
  fmt::print("{:46}measured{:19}predicted\n", "", "");
  fmt::print("{:<36} n", "times in us");
  for (int i = 0; i < 2; ++i) fmt::print(" {:>9} {:>7} {:>7}", "solution", "fastest", "slowest");
  fmt::print(" {:>6}\n", "ranks");
  std::string before;
  for (const Race& race : races) {
    fmt::print("{:<24} {:<11} {}{}{}", race.exercise, race.size, race.seconds.size(),
               " " + figures_of(race.seconds), " " + figures_of(race.predicted));
    if (race.exercise != before) fmt::print(" {:>6.2f}", ranks_of(races, race.exercise));
    fmt::print("\n");
    before = race.exercise;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: race-times MEASURED.csv PREDICTED.csv\n");
    return EXIT_FAILURE;
  }
  try {
    print(argv[1], argv[2]);
  } catch (const std::exception& problem) {
    fmt::print(stderr, "race-times: {}\n", problem.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
