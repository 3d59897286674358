// SPDX-License-Identifier: MIT
// Judges exercises of a submission and fails if the verdicts are not as expected.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "grader/exercise/seed.hpp"
#include "grader/judge/grade.hpp"
#include "grader/program/build_tree.hpp"
#include "grader/report/report.hpp"

namespace {

struct Options {
  grader::Workspace workspace;
  std::string exercise;             ///< all when empty
  std::vector<std::string> status;  ///< any of them is right
  std::string says;                 ///< must be part of the message or detail
  std::string never_says;           ///< must not be part of them, unless it is empty
  double limit_seconds = 0;         ///< per run, instead of the exercise's own
  bool may_be_undecided = false;    ///< an inconclusive verdict is neither right nor wrong
};

constexpr int kExitSkipped = 77;

bool contains(const grader::Verdict& verdict, const std::string& text) {
  return (verdict.message + "\n" + verdict.detail + "\n" + verdict.output).find(text) !=
         std::string::npos;
}

bool has_expected_status(const grader::Verdict& verdict, const Options& options) {
  return std::find(options.status.begin(), options.status.end(), name_of(verdict.status)) !=
         options.status.end();
}

bool as_expected(const grader::Verdict& verdict, const Options& options) {
  const std::string status(name_of(verdict.status));
  const bool may_earn = status == "passed" || status == "partial";
  const bool right_points = may_earn || verdict.points == 0;
  const bool is_misled = !options.never_says.empty() && contains(verdict, options.never_says);
  if (has_expected_status(verdict, options) && right_points && contains(verdict, options.says) &&
      !is_misled) {
    return true;
  }
  std::printf("NOT AS EXPECTED: %s after %.1f s, expected %s saying \"%s\"\n", status.c_str(),
              verdict.seconds, options.status.front().c_str(), options.says.c_str());
  if (is_misled) std::printf("and never \"%s\"\n", options.never_says.c_str());
  return false;
}

int run(const Options& options) {
  std::vector<grader::SchemaError> errors;
  const auto topics = grader::load_topics(options.workspace.root, errors);
  for (const auto& error : errors) std::printf("%s\n", describe(error).c_str());
  grader::Session session(options.workspace);
  int judged = 0;
  int undecided = 0;
  int wrong = static_cast<int>(errors.size());
  for (const grader::Topic& topic : topics) {
    for (grader::Exercise exercise : topic.exercises) {
      if (!options.exercise.empty() && exercise.id != options.exercise) continue;
      if (options.limit_seconds > 0) exercise.wall_seconds = options.limit_seconds;
      grader::Verdict verdict = grader::grade(session, exercise);
      // "Run again" is the advice of an inconclusive verdict.
      const auto is_undecided = [&] {
        return verdict.status == grader::Status::kInconclusive &&
               !has_expected_status(verdict, options);
      };
      for (int i = 0; i < 3 && is_undecided(); ++i) verdict = grader::grade(session, exercise);
      std::fputs(grader::terminal_verdict(verdict, false).c_str(), stdout);
      ++judged;
      if (options.may_be_undecided && verdict.status == grader::Status::kInconclusive) {
        ++undecided;
        continue;
      }
      wrong += as_expected(verdict, options) ? 0 : 1;
    }
  }
  if (judged == 0 || wrong > 0) return 1;
  return undecided > 0 ? kExitSkipped : 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Judges exercises and compares the verdicts with what is expected.");
  app.add_option("--root", options.workspace.root)->required();
  app.add_option("--build", options.workspace.build)->required();
  app.add_option("--student-bin", options.workspace.student_bin);
  app.add_option("--submission", options.workspace.submission);
  app.add_flag("--solutions", options.workspace.solutions);
  app.add_flag("--race", options.workspace.race_without_gpu,
               "Speed is judged on the CPU too, as on a GPU");
  app.add_option("--exercise", options.exercise);
  app.add_option("--status", options.status)->required();
  app.add_option("--says", options.says);
  app.add_option("--never-says", options.never_says);
  app.add_option("--seed", options.workspace.seed);
  app.add_option("--limit-seconds", options.limit_seconds,
                 "A run's limit on time, in place of the exercise's own");
  app.add_flag("--may-be-undecided", options.may_be_undecided,
               "What is too noisy to judge is skipped");
  bool sandbox = false;
  bool light_too = false;
  app.add_flag("--sandbox", sandbox);
  app.add_flag("--light-too", light_too, "After the sandbox the same again without it");
  CLI11_PARSE(app, argc, argv);
  options.workspace.seed = grader::chosen_seed(options.workspace.seed, grader::kCourseSeed);
  std::printf("Inputs drawn from seed %llu; --seed or ROOFLINE_SEED sets another.\n",
              static_cast<unsigned long long>(options.workspace.seed));
  for (std::string& status : options.status) std::replace(status.begin(), status.end(), '_', ' ');
  if (sandbox && !grader::sandbox_available()) {
    std::printf("bubblewrap does not work on this machine\n");
    if (!light_too) return kExitSkipped;
    sandbox = light_too = false;
  }
  if (sandbox) {
    options.workspace.isolation = grader::Isolation::kSandbox;
    options.workspace.outside = grader::folders_outside(options.workspace.build);
  }
  if (const int code = run(options); code != 0) return code;
  if (light_too) {
    std::printf("Without the sandbox:\n");
    Options light = options;
    light.workspace.isolation = grader::Isolation::kLight;
    return run(light);
  }
  return 0;
}
