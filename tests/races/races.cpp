// SPDX-License-Identifier: MIT
// Judges submissions of speed exercises many times, alone and next to a competing program, and
// prints how often each earned which points. Here races count on the CPU too, where they are
// otherwise only shown.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "grader/judge/grade.hpp"
#include "support/shared_work.hpp"

namespace {

namespace fs = std::filesystem;

struct Options {
  grader::Workspace workspace;
  std::vector<std::string> exercises;
  fs::path submissions;
  std::string only;
  std::string beside;  ///< command of the competing program; empty: none
  std::string expect = "full";
  int repeats = 20;
  int gpus = 1;
  double minutes = 24 * 60;
  fs::path results;
};

/// A submission of one exercise, and whether a competitor runs at the same time.
struct Subject {
  std::string name;
  grader::Exercise exercise;
  fs::path student_bin;  ///< empty: the solutions
  bool expect_full = true;
  bool beside = false;
};

/// One of the judgements of a subject.
struct Judgement {
  const Subject* subject;
  int repeat;

  /// The beginning of its line in the file of results.
  std::vector<std::string> key() const {
    return {subject->name, subject->exercise.id, subject->expect_full ? "full" : "less",
            subject->beside ? "beside" : "alone", std::to_string(repeat)};
  }
};

/// One line of the table.
struct Tally {
  int full = 0;
  int less = 0;
  int inconclusive = 0;
  std::vector<double> ratios;
  double seconds = 0;
};

std::vector<grader::Exercise> speed_exercises(const Options& options) {
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

/// The programs FOLDER/NAME/TOPIC/PROGRAM of an exercise.
std::vector<Subject> submissions_in(const fs::path& folder, const grader::Exercise& exercise,
                                    bool expect_full) {
  std::vector<Subject> result;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!fs::exists(entry.path() / exercise.topic / exercise.program)) continue;
    result.push_back({entry.path().filename(), exercise, entry.path(), expect_full, false});
  }
  return result;
}

std::vector<Subject> subjects_of(const Options& options) {
  std::vector<Subject> result;
  for (const grader::Exercise& exercise : speed_exercises(options)) {
    if (options.submissions.empty()) {
      result.push_back({options.workspace.student_bin.empty() ? "solution" : "submission", exercise,
                        options.workspace.student_bin, options.expect == "full",
                        !options.beside.empty()});
      continue;
    }
    for (const std::string_view kind : {"right", "slower"}) {
      if (!options.only.empty() && options.only != kind) continue;
      for (Subject& subject :
           submissions_in(options.submissions / kind, exercise, kind == "right")) {
        result.push_back(subject);
        if (options.beside.empty()) continue;
        subject.beside = true;
        result.push_back(std::move(subject));
      }
    }
  }
  if (result.empty()) throw std::runtime_error("no submission is of a chosen exercise");
  return result;
}

/// The competing program, in a separate shell, for the lifetime of this object.
class Competitor {
 public:
  explicit Competitor(const std::string& command) {
    grader::Limits limits;
    limits.wall_seconds = limits.cpu_seconds = 0;
    child_.emplace(grader::Command{{"/bin/sh", "-c", "(" + command + ") >/dev/null 2>&1"},
                                   {},
                                   grader::clean_environment()},
                   limits);
    // A GPU's runtime takes a second to start.
    std::this_thread::sleep_for(std::chrono::seconds(2));
  }

 private:
  std::optional<grader::Child> child_;
};

/// Judges as `grader grade` does, in a separate session with fresh inputs; adds the outcome to the
/// results.
void judge(const Judgement& judgement, const Options& options, const support::DoneFile& results) {
  const Subject& subject = *judgement.subject;
  std::optional<Competitor> competitor;
  if (subject.beside) competitor.emplace(options.beside);
  grader::Workspace workspace = options.workspace;
  workspace.seed = std::random_device{}();
  workspace.student_bin = subject.student_bin;
  workspace.solutions = subject.student_bin.empty();
  grader::Session session(std::move(workspace));
  const grader::Verdict verdict = grade(session, subject.exercise);
  double ratio = 0;
  double call_seconds = 0;
  for (const auto& [name, value] : verdict.metrics) {
    if (name == "ratio_to_reference") ratio = value;
    if (name == "seconds") call_seconds = value;
  }
  const bool counts = is_counted(verdict.status);
  const std::string outcome = !counts                                ? "inconclusive"
                              : verdict.points >= verdict.max_points ? "full"
                                                                     : "less";
  fmt::print(
      "{:<24} {:<24} {:<7} {:<12} {:.4g} of {:.4g} points, {:.3f} of the reference, {:.4g} us a "
      "call, {:.1f} s\n",
      subject.name, subject.exercise.id, subject.beside ? "beside" : "alone", outcome,
      verdict.points, verdict.max_points, ratio, 1e6 * call_seconds, verdict.seconds);
  if ((outcome == "full") != subject.expect_full) {
    fmt::print("  {}: {} {}\n", name_of(verdict.status), verdict.message, verdict.detail);
  }
  std::fflush(stdout);
  std::vector<std::string> line = judgement.key();
  line.push_back(outcome);
  line.push_back(fmt::format("{:.4f}", ratio));
  line.push_back(fmt::format("{:.2f}", verdict.seconds));
  results.add(line);
}

/// Prints the table; returns how many judgements gave an unexpected result.
int print_table(const support::DoneFile& results) {
  std::map<std::vector<std::string>, Tally> tallies;
  int unexpected = 0;
  for (std::vector<std::string> line : results.lines()) {
    const std::string outcome = line.at(5);
    const double ratio = std::stod(line.at(6));
    const double seconds = std::stod(line.at(7));
    line.resize(4);
    Tally& tally = tallies[line];
    tally.full += outcome == "full" ? 1 : 0;
    tally.less += outcome == "less" ? 1 : 0;
    tally.inconclusive += outcome == "inconclusive" ? 1 : 0;
    if (ratio > 0) tally.ratios.push_back(ratio);
    tally.seconds += seconds;
    unexpected += outcome == (line[2] == "full" ? "less" : "full") ? 1 : 0;
  }
  fmt::print("\n{:<24} {:<24} {:<7} {:<9} {:>5} {:>5} {:>13}  {:<14} {:>8}\n", "submission",
             "exercise", "", "expected", "full", "less", "inconclusive", "ratio", "seconds");
  Tally sum;
  for (const auto& [key, tally] : tallies) {
    std::string ratios;
    if (!tally.ratios.empty()) {
      const auto [least, most] = std::minmax_element(tally.ratios.begin(), tally.ratios.end());
      ratios = fmt::format("{:.3f} to {:.3f}", *least, *most);
    }
    const int judged = tally.full + tally.less + tally.inconclusive;
    fmt::print("{:<24} {:<24} {:<7} {:<9} {:>5} {:>5} {:>13}  {:<14} {:>8.1f}\n", key[0], key[1],
               key[3], key[2], tally.full, tally.less, tally.inconclusive, ratios,
               tally.seconds / judged);
    sum.full += tally.full;
    sum.less += tally.less;
    sum.inconclusive += tally.inconclusive;
  }
  fmt::print("{} judgements, {} inconclusive, {} other than expected\n",
             sum.full + sum.less + sum.inconclusive, sum.inconclusive, unexpected);
  return unexpected;
}

int run(const Options& options) {
  const support::DoneFile results(options.results);
  const std::vector<Subject> subjects = subjects_of(options);
  // Repeat by repeat: if a run is stopped, it has judged every subject about equally often.
  std::vector<Judgement> left;
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    for (const Subject& subject : subjects) left.push_back({&subject, repeat});
  }
  const auto forget_done = [&] {
    const auto done = results.first_fields(left.empty() ? 0 : left.front().key().size());
    std::erase_if(left, [&](const Judgement& judgement) { return done.contains(judgement.key()); });
  };
  forget_done();
  const bool all_well = support::share_work(
      left.size(), options.gpus, options.minutes, [&](std::size_t i, int process) {
        if (options.gpus > 1) {
          ::setenv("CUDA_VISIBLE_DEVICES", std::to_string(process).c_str(), 1);
        }
        judge(left[i], options, results);
      });
  forget_done();
  const int unexpected = print_table(results);
  if (!left.empty()) fmt::print("{} judgements are still to be made.\n", left.size());
  return all_well && unexpected == 0 && left.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.workspace.race_without_gpu = true;
  CLI::App app("Judges submissions of speed exercises many times.");
  app.add_option("--root", options.workspace.root)->required();
  app.add_option("--build", options.workspace.build)->required();
  app.add_option("--exercise", options.exercises, "Ids or their beginnings; all when not given");
  app.add_option("--repeats", options.repeats, "Judgements of each submission")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  auto* bin =
      app.add_option("--student-bin", options.workspace.student_bin,
                     "Folder TOPIC/PROGRAM of the submission; the solutions when not given");
  app.add_option("--submissions", options.submissions,
                 "Folder of the folders right and slower, each with NAME/TOPIC/PROGRAM; with "
                 "--beside, each is judged alone and beside it")
      ->excludes(bin);
  app.add_option("--only", options.only, "Of the submissions: right or slower")
      ->check(CLI::IsMember({"right", "slower"}));
  app.add_option("--beside", options.beside, "Command that runs all the time, as a competitor");
  app.add_option("--expect", options.expect,
                 "full: no judgement gives less than all points; less: none gives all")
      ->check(CLI::IsMember({"full", "less"}))
      ->capture_default_str();
  app.add_option("--gpus", options.gpus, "Judges on so many GPUs at the same time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--minutes", options.minutes, "Begins no judgement after this time")
      ->check(CLI::PositiveNumber);
  app.add_option("--results", options.results, "Keeps what was judged: a later run goes on there");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "test-races: {}\n", error.what());
    return 2;
  }
}
