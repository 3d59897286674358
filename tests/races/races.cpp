// SPDX-License-Identifier: MIT
// Judges submissions of speed exercises many times, also beside a competing program, and prints how
// often each earned which points. Races count here on the CPU too, where they are otherwise only
// shown.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/judge/grade.hpp"

namespace {

struct Options {
  grader::Workspace workspace;
  std::vector<std::string> exercises;
  std::string beside;  ///< command of the competing program; none when empty
  std::string expect = "full";
  int repeats = 20;
};

/// The outcomes of all judgements of one exercise.
struct Tally {
  int full = 0;
  int inconclusive = 0;
  int lost = 0;  ///< less than all points
  std::map<std::string, int> outcomes;
  std::vector<double> ratios;
  double seconds = 0;

  void add(const grader::Verdict& verdict) {
    const bool counts = is_counted(verdict.status);
    const bool is_full = counts && verdict.points >= verdict.max_points;
    full += is_full ? 1 : 0;
    inconclusive += counts ? 0 : 1;
    lost += counts && !is_full ? 1 : 0;
    ++outcomes[counts ? fmt::format("{:.4g} points", verdict.points)
                      : std::string(name_of(verdict.status))];
    seconds += verdict.seconds;
    for (const auto& [name, value] : verdict.metrics) {
      if (name == "ratio_to_reference") ratios.push_back(value);
    }
    if (!is_full) fmt::print("  {}: {} {}\n", verdict.id, verdict.message, verdict.detail);
  }
};

std::vector<grader::Exercise> chosen(const Options& options) {
  std::vector<grader::SchemaError> errors;
  std::vector<grader::Exercise> result;
  for (const grader::Topic& topic : grader::load_topics(options.workspace.root, errors)) {
    for (const grader::Exercise& exercise : topic.exercises) {
      if (exercise.kind() == grader::Kind::kSpeed && is_chosen(exercise, options.exercises)) {
        result.push_back(exercise);
      }
    }
  }
  if (result.empty()) throw std::runtime_error("no speed exercise is called so");
  return result;
}

/// One judgement as `grader grade` makes it: a session of its own, fresh inputs.
grader::Verdict judge(grader::Workspace workspace, const grader::Exercise& exercise) {
  workspace.seed = std::random_device{}();
  grader::Session session(std::move(workspace));
  return grade(session, exercise);
}

void print_line(const std::string& id, const Tally& tally) {
  std::string ratios;
  if (!tally.ratios.empty()) {
    const auto [least, most] = std::minmax_element(tally.ratios.begin(), tally.ratios.end());
    ratios = fmt::format("{:.2f} to {:.2f}", *least, *most);
  }
  const int judged = tally.full + tally.inconclusive + tally.lost;
  fmt::print("{:<28} {:>5} {:>5} {:>13}  {:<14} {:>8.1f} ", id, tally.full, tally.lost,
             tally.inconclusive, ratios, tally.seconds / judged);
  for (const auto& [outcome, times] : tally.outcomes) fmt::print(" {} x {};", times, outcome);
  fmt::print("\n");
  std::fflush(stdout);
}

int run(const Options& options) {
  std::optional<grader::Child> competitor;
  if (!options.beside.empty()) {
    grader::Limits limits;
    limits.wall_seconds = limits.cpu_seconds = 0;
    const std::string command = "(" + options.beside + ") >/dev/null 2>&1";
    competitor.emplace(grader::Command{{"/bin/sh", "-c", command}, {}, grader::clean_environment()},
                       limits);
  }
  fmt::print("{:<28} {:>5} {:>5} {:>13}  {:<14} {:>8}  outcomes\n", "exercise", "full", "less",
             "inconclusive", "ratio", "seconds");
  bool as_expected = true;
  for (const grader::Exercise& exercise : chosen(options)) {
    Tally tally;
    for (int i = 0; i < options.repeats; ++i) tally.add(judge(options.workspace, exercise));
    print_line(exercise.id, tally);
    as_expected = as_expected && (options.expect == "full" ? tally.lost : tally.full) == 0;
  }
  return as_expected ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.workspace.race_without_gpu = true;
  CLI::App app("Judges submissions of speed exercises many times.");
  app.add_option("--root", options.workspace.root)->required();
  app.add_option("--build", options.workspace.build)->required();
  app.add_option("--exercise", options.exercises, "Ids or their beginnings; all when not given");
  app.add_option("--repeats", options.repeats)->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--student-bin", options.workspace.student_bin,
                 "Folder TOPIC/PROGRAM of the submission; the solutions when not given");
  app.add_option("--beside", options.beside, "Command that runs all the time, as a competitor");
  app.add_option("--expect", options.expect,
                 "full: no judgement gives less than all points; less: none gives all")
      ->check(CLI::IsMember({"full", "less"}))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  options.workspace.solutions = options.workspace.student_bin.empty();
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "test-races: {}\n", error.what());
    return 2;
  }
}
