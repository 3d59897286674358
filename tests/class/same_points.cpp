// SPDX-License-Identifier: MIT
// The same correct submission graded many times: does its speed earn the same points? Needs a
// machine on which nothing else runs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/grade.hpp"
#include "grader/timing.hpp"

namespace {

grader::Exercise find_exercise(const std::filesystem::path& root, const std::string& id) {
  std::vector<grader::SchemaError> errors;
  for (const grader::Topic& topic : grader::load_topics(root, errors)) {
    for (const grader::Exercise& exercise : topic.exercises) {
      if (exercise.id == id && exercise.kind == grader::Kind::kSpeed) return exercise;
    }
  }
  throw std::runtime_error("no speed exercise is called " + id);
}

double ratio_of(const grader::Verdict& verdict) {
  for (const auto& [name, value] : verdict.metrics) {
    if (name == "ratio_to_reference") return value;
  }
  throw std::runtime_error(verdict.id + " was not timed: " + verdict.message + "\n" +
                           verdict.detail);
}

/// One grading as `grader grade` does it: a session of its own, fresh inputs.
grader::Verdict judge(grader::Workspace workspace, const grader::Exercise& exercise) {
  workspace.seed = std::random_device{}();
  grader::Session session(std::move(workspace));
  return grade(session, exercise);
}

/// Returns how many gradings gave the points that most of them gave.
std::size_t most_alike(const std::map<std::string, std::size_t>& outcomes) {
  std::size_t most = 0;
  for (const auto& [outcome, times] : outcomes) most = std::max(most, times);
  return most;
}

int run(const grader::Workspace& workspace, const std::string& id, std::size_t repeats) {
  const grader::Exercise exercise = find_exercise(workspace.root, id);
  std::map<std::string, std::size_t> outcomes;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < repeats; ++i) {
    const grader::Verdict verdict = judge(workspace, exercise);
    ratios.push_back(ratio_of(verdict));
    // An inconclusive verdict has no points to compare.
    const bool counts = is_counted(verdict.status);
    const std::string outcome = counts ? fmt::format("{:.4g} points", verdict.points)
                                       : std::string(name_of(verdict.status));
    ++outcomes[outcome];
    fmt::print("{:>3}  {:<14} {:.3f} of the reference's speed, {:.1f} s\n", i + 1, outcome,
               ratios.back(), verdict.seconds);
    std::fflush(stdout);
  }
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  const std::size_t alike = most_alike(outcomes);
  fmt::print("ratio: median {:.3f}, from {:.3f} to {:.3f}\n",
             grader::median_interval(ratios).median, *least, *most);
  fmt::print("{} of {} gradings of {} gave the same points\n", alike, repeats, id);
  return alike >= repeats - repeats / 20 ? 0 : 1;  // 19 of 20
}

}  // namespace

int main(int argc, char** argv) {
  grader::Workspace workspace;
  workspace.solutions = true;
  std::string id = "02.saxpy.speed";
  std::size_t repeats = 20;
  CLI::App app("Grades the solution of a speed exercise many times and compares the points.");
  app.add_option("--root", workspace.root)->required();
  app.add_option("--build", workspace.build)->required();
  app.add_option("--exercise", id, "Id of a speed exercise")->capture_default_str();
  app.add_option("--repeats", repeats)->check(CLI::Range(1, 1000))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return run(workspace, id, repeats);
  } catch (const std::exception& error) {
    fmt::print(stderr, "test-same-points: {}\n", error.what());
    return 2;
  }
}
