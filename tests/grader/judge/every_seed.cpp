// SPDX-License-Identifier: MIT
// The same verdict with every seed: each wrong solution is refused for the reason that its file
// says, each starter is unsolved and each solution right. What is timed is left out: it does not
// depend on the inputs.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/exercise/seed.hpp"
#include "grader/judge/grade.hpp"

namespace {

namespace fs = std::filesystem;

/// A program, the exercise that it is judged on, and how the verdict must read.
struct Subject {
  std::string group;  ///< the line of the table that counts it
  std::string name;
  grader::Workspace workspace;
  grader::Exercise exercise;
  std::string status;
  std::string says;
};

/// One line of the table.
struct Count {
  int subjects = 0;
  int judged = 0;
  int surprises = 0;
  double seconds = 0;  ///< of CPU time

  Count& operator+=(const Count& other) {
    subjects += other.subjects;
    judged += other.judged;
    surprises += other.surprises;
    seconds += other.seconds;
    return *this;
  }
};

using Exercises = std::map<std::string, grader::Exercise>;

Exercises exercises_of(const fs::path& root, const std::string& topic) {
  std::vector<grader::SchemaError> errors;
  Exercises result;
  for (const grader::Topic& one : grader::load_topics(root, errors)) {
    if (!topic.empty() && one.name != topic) continue;
    for (const grader::Exercise& exercise : one.exercises) result[exercise.id] = exercise;
  }
  if (!errors.empty()) throw std::runtime_error(describe(errors.front()));
  return result;
}

bool depends_on_seed(const grader::Exercise& exercise) {
  return exercise.kind() == grader::Kind::kFunction || exercise.kind() == grader::Kind::kKernel ||
         exercise.kind() == grader::Kind::kCounted;
}

/// With a part of its draws and without its large sizes: 200 times all of them take a day. A kernel
/// that is wrong at a large size only keeps it.
grader::Exercise made_short(grader::Exercise exercise, bool is_wrong) {
  constexpr std::int64_t kFewSamples = 1000;
  constexpr std::int64_t kSmall = 260;
  if (auto* function = std::get_if<grader::FunctionExercise>(&exercise.fields)) {
    function->samples = std::min(function->samples, kFewSamples);
  }
  if (is_wrong) return exercise;
  const auto leave_small = [](std::vector<std::int64_t>& sizes) {
    std::vector<std::int64_t> small;
    std::copy_if(sizes.begin(), sizes.end(), std::back_inserter(small),
                 [](std::int64_t n) { return n <= kSmall; });
    if (!small.empty()) sizes = small;
  };
  if (auto* kernel = std::get_if<grader::KernelExercise>(&exercise.fields)) {
    leave_small(kernel->sizes);
  } else if (auto* counted = std::get_if<grader::CountedExercise>(&exercise.fields)) {
    leave_small(counted->sizes);
  }
  return exercise;
}

/// The parts of a wrong solution's path, TOPIC/PROGRAM/NAME.*, and what its third line says:
/// "// Refused: ID | STATUS | TEXT" (tests/wrong/README.md).
std::optional<Subject> wrong_subject(const fs::path& file, const grader::Workspace& workspace,
                                     const Exercises& exercises) {
  constexpr std::string_view kMark = "// Refused: ";
  std::ifstream in(file);
  std::string line;
  for (int i = 0; i < 3; ++i) std::getline(in, line);
  if (!line.starts_with(kMark)) return std::nullopt;
  const std::size_t first = line.find(" | ");
  const std::size_t second = line.find(" | ", first + 1);
  const auto exercise = exercises.find(line.substr(kMark.size(), first - kMark.size()));
  if (exercise == exercises.end() || !depends_on_seed(exercise->second)) return std::nullopt;
  const fs::path folder = file.parent_path();
  const fs::path program = folder.parent_path().filename() / folder.filename() / file.stem();
  Subject subject{.group = "wrong " + std::string(name_of(exercise->second.kind())),
                  .name = program.string(),
                  .workspace = workspace,
                  .exercise = made_short(exercise->second, true),
                  .status = line.substr(first + 3, second - first - 3),
                  .says = line.substr(second + 3)};
  subject.workspace.student_bin = workspace.build / "bin" / "tests" / "wrong" / program;
  return subject;
}

/// Wrong solutions, solutions and starters of the chosen exercises.
std::vector<Subject> subjects_of(const grader::Workspace& workspace, const fs::path& wrong,
                                 const Exercises& exercises) {
  std::vector<Subject> result;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(wrong)) {
    if (!entry.is_regular_file()) continue;
    if (auto subject = wrong_subject(entry.path(), workspace, exercises)) {
      result.push_back(std::move(*subject));
    }
  }
  for (const auto& [id, exercise] : exercises) {
    if (!depends_on_seed(exercise)) continue;
    const std::string kind(name_of(exercise.kind()));
    Subject subject{"solution " + kind, id, workspace, made_short(exercise, false), "passed", ""};
    subject.workspace.solutions = true;
    result.push_back(subject);
    subject.workspace.solutions = false;
    subject.group = "starter " + kind;
    subject.status = "unsolved";
    result.push_back(std::move(subject));
  }
  return result;
}

bool is_as_expected(const Subject& subject, const grader::Verdict& verdict) {
  const std::string text = verdict.message + "\n" + verdict.detail + "\n" + verdict.output;
  const bool earns = subject.status == "passed";
  return name_of(verdict.status) == subject.status && (verdict.points > 0) == earns &&
         text.find(subject.says) != std::string::npos;
}

/// CPU time of this process and of the children that have ended. Unlike the clock's, it is the same
/// on a busy machine.
double cpu_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
  }
  return seconds;
}

/// Judges one subject with every seed and prints its line.
Count judged(const Subject& subject, std::uint64_t first, int seeds) {
  Count count{1, seeds, 0, -cpu_seconds()};
  {
    grader::Session session(subject.workspace);
    for (int i = 0; i < seeds; ++i) {
      const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
      session.use_seed(seed);
      const grader::Verdict verdict = grader::grade(session, subject.exercise);
      if (is_as_expected(subject, verdict)) continue;
      ++count.surprises;
      fmt::print("SURPRISE {} on {} with seed {}: {} \"{}\", expected {} saying \"{}\"\n",
                 subject.name, subject.exercise.id, seed, name_of(verdict.status), verdict.message,
                 subject.status, subject.says);
    }
  }
  count.seconds += cpu_seconds();
  fmt::print("{:<18} {:<52} {:>6} judged, {} surprises, {:.1f} s\n", subject.group, subject.name,
             count.judged, count.surprises, count.seconds);
  std::fflush(stdout);
  return count;
}

int print_table(const std::map<std::string, Count>& counts) {
  fmt::print("\n{:<18} {:>9} {:>9} {:>10} {:>9}\n", "", "subjects", "judged", "surprises", "CPU s");
  Count sum;
  for (const auto& [group, count] : counts) {
    fmt::print("{:<18} {:>9} {:>9} {:>10} {:>9.1f}\n", group, count.subjects, count.judged,
               count.surprises, count.seconds);
    sum += count;
  }
  fmt::print("{:<18} {:>9} {:>9} {:>10} {:>9.1f}\n", "sum", sum.subjects, sum.judged, sum.surprises,
             sum.seconds);
  return sum.judged > 0 && sum.surprises == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  grader::Workspace workspace;
  fs::path wrong;
  std::string topic;
  std::string only;
  int seeds = 200;
  CLI::App app("Judges wrong solutions, solutions and starters with many seeds.");
  app.add_option("--root", workspace.root)->required();
  app.add_option("--build", workspace.build)->required();
  app.add_option("--wrong", wrong, "Folder of the wrong solutions")->required();
  app.add_option("--topic", topic, "Only this one");
  app.add_option("--only", only,
                 "Only what has this in its name, such as 'wrong kernel' or dot/squares");
  app.add_option("--seeds", seeds)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seed", workspace.seed, "The first one");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::uint64_t first = grader::chosen_seed(workspace.seed, grader::kCourseSeed);
    fmt::print("Inputs of {} seeds from {}; --seed or ROOFLINE_SEED gives others.\n", seeds, first);
    std::map<std::string, Count> counts;
    for (const Subject& subject :
         subjects_of(workspace, wrong, exercises_of(workspace.root, topic))) {
      if ((subject.group + " " + subject.name).find(only) == std::string::npos) continue;
      counts[subject.group] += judged(subject, first, seeds);
    }
    return print_table(counts);
  } catch (const std::exception& error) {
    fmt::print(stderr, "every-seed: {}\n", error.what());
    return 2;
  }
}
