// SPDX-License-Identifier: MIT
// The verdict must be the same with every seed: each wrong solution is refused for the reason in
// its file, each starter is unsolved and each solution is right. Timed exercises are left out,
// because they do not depend on the inputs. Several processes share the work, and a file records
// finished work, so that a run that was stopped can continue.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "grader/exercise/seed.hpp"
#include "grader/judge/grade.hpp"
#include "support/program.hpp"
#include "support/shared_work.hpp"

namespace {

namespace fs = std::filesystem;

/// A program, the exercise that it is judged on, and the expected verdict.
struct Subject {
  std::string group;  ///< the table line that counts it
  std::string name;
  grader::Workspace workspace;
  grader::Exercise exercise;
  std::string status;
  std::string says;
};

/// One line of the table.
struct Count {
  std::set<std::string> subjects;
  int judged = 0;
  int surprises = 0;
  double seconds = 0;  ///< of CPU time
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

/// The exercise with fewer draws and without large sizes: judging everything 200 times takes a day.
/// Wrong solutions keep their sizes, because some are wrong only at large ones.
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

/// A wrong solution from its path, TOPIC/PROGRAM/NAME.*, and the third line of its file: "//
/// Refused: ID | STATUS | TEXT" (tests/wrong/README.md).
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

/// Wrong solutions, solutions and starters for the chosen exercises.
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

/// A subject and some of its seeds.
struct Portion {
  const Subject* subject;
  std::uint64_t first;
  int seeds;

  /// The fields that identify it in the file of results.
  std::vector<std::string> key() const {
    return {subject->group, subject->name + " on " + subject->exercise.id, std::to_string(first),
            std::to_string(seeds)};
  }
};

/// Divides subjects into portions that are small enough for many processes to finish at about the
/// same time. A starter is one portion, because for each portion the build checks its program,
/// which takes longer than its verdicts.
std::vector<Portion> portions_of(const std::vector<Subject>& subjects, std::uint64_t first,
                                 int seeds) {
  constexpr int kMost = 25;
  std::vector<Portion> result;
  for (const Subject& subject : subjects) {
    const int most = subject.status == "unsolved" ? seeds : kMost;
    for (int begin = 0; begin < seeds; begin += most) {
      result.push_back(
          {&subject, first + static_cast<std::uint64_t>(begin), std::min(most, seeds - begin)});
    }
  }
  return result;
}

/// Judges a portion, and adds unexpected verdicts and CPU seconds to the results.
void judge(const Portion& portion, const support::DoneFile& results) {
  const Subject& subject = *portion.subject;
  int surprises = 0;
  double seconds = -support::processor_seconds();
  {
    grader::Session session(subject.workspace);
    for (int i = 0; i < portion.seeds; ++i) {
      const std::uint64_t seed = portion.first + static_cast<std::uint64_t>(i);
      session.use_seed(seed);
      const grader::Verdict verdict = grader::grade(session, subject.exercise);
      if (is_as_expected(subject, verdict)) continue;
      ++surprises;
      fmt::print("SURPRISE {} on {} with seed {}: {} \"{}\", expected {} saying \"{}\"\n",
                 subject.name, subject.exercise.id, seed, name_of(verdict.status), verdict.message,
                 subject.status, subject.says);
    }
  }
  seconds += support::processor_seconds();
  fmt::print("{:<18} {:<52} {:>6} judged, {} surprises, {:.1f} s\n", subject.group, subject.name,
             portion.seeds, surprises, seconds);
  std::fflush(stdout);
  std::vector<std::string> line = portion.key();
  line.push_back(std::to_string(surprises));
  line.push_back(fmt::format("{:.3f}", seconds));
  results.add(line);
}

/// The counts in the file of results, by group.
std::map<std::string, Count> counts_in(const support::DoneFile& results) {
  std::map<std::string, Count> counts;
  for (const std::vector<std::string>& line : results.lines()) {
    Count& count = counts[line.at(0)];
    count.subjects.insert(line.at(1));
    count.judged += std::stoi(line.at(3));
    count.surprises += std::stoi(line.at(4));
    count.seconds += std::stod(line.at(5));
  }
  return counts;
}

int print_table(const std::map<std::string, Count>& counts) {
  const auto print = [](const std::string& group, std::size_t subjects, const Count& count) {
    fmt::print("{:<18} {:>9} {:>9} {:>10} {:>9.1f}\n", group, subjects, count.judged,
               count.surprises, count.seconds);
  };
  fmt::print("\n{:<18} {:>9} {:>9} {:>10} {:>9}\n", "", "subjects", "judged", "surprises", "CPU s");
  Count sum;
  std::size_t subjects = 0;
  for (const auto& [group, count] : counts) {
    print(group, count.subjects.size(), count);
    subjects += count.subjects.size();
    sum.judged += count.judged;
    sum.surprises += count.surprises;
    sum.seconds += count.seconds;
  }
  print("sum", subjects, sum);
  return sum.judged > 0 && sum.surprises == 0 ? 0 : 1;
}

struct Options {
  grader::Workspace workspace;
  fs::path wrong;
  std::string topic;
  std::string only;
  int seeds = 200;
  int jobs = 1;
  double minutes = 24 * 60;
  fs::path results;
};

/// Judges what is not in the file of results yet, and prints the table.
int run(const Options& options) {
  const support::DoneFile results(options.results);
  const std::uint64_t first = grader::chosen_seed(options.workspace.seed, grader::kCourseSeed);
  fmt::print("Inputs drawn from {} seeds, starting at {}; --seed or ROOFLINE_SEED sets another.\n",
             options.seeds, first);
  std::vector<Subject> subjects = subjects_of(options.workspace, options.wrong,
                                              exercises_of(options.workspace.root, options.topic));
  std::erase_if(subjects, [&](const Subject& subject) {
    return (subject.group + " " + subject.name).find(options.only) == std::string::npos;
  });
  std::vector<Portion> left = portions_of(subjects, first, options.seeds);
  const auto forget_done = [&] {
    const auto done = results.first_fields(left.empty() ? 0 : left.front().key().size());
    std::erase_if(left, [&](const Portion& portion) { return done.contains(portion.key()); });
  };
  forget_done();
  const bool all_well = support::share_work(left.size(), options.jobs, options.minutes,
                                            [&](std::size_t i, int) { judge(left[i], results); });
  forget_done();
  const int status = print_table(counts_in(results));
  if (left.empty()) return all_well ? status : 1;
  fmt::print("{} portions are still to be judged.\n", left.size());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Judges wrong solutions, solutions and starters with many seeds.");
  app.add_option("--root", options.workspace.root)->required();
  app.add_option("--build", options.workspace.build)->required();
  app.add_option("--wrong", options.wrong, "Folder of the wrong solutions")->required();
  app.add_option("--topic", options.topic, "Only this one");
  app.add_option("--only", options.only,
                 "Only what has this in its name, such as 'wrong kernel' or dot/squares");
  app.add_option("--seeds", options.seeds)->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--seed", options.workspace.seed, "The first one");
  app.add_option("--jobs", options.jobs, "Processes that judge at the same time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--minutes", options.minutes, "Begin nothing after this time")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--results", options.results, "Keeps what was judged: a later run goes on there");
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "every-seed: {}\n", error.what());
    return 2;
  }
}
