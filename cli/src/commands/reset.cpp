// SPDX-License-Identifier: MIT
// ./lab reset and ./lab show: the starter's text, and the solution's.
#include <cstdio>
#include <stdexcept>

#include "base/files.hpp"
#include "commands.hpp"
#include "grader/exercise/starter.hpp"
#include "grader/judge/session.hpp"
#include "lock.hpp"
#include "region.hpp"
#include "terminal.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

std::string starter_text(const Course& course, const std::string& topic, const std::string& file) {
  if (file == "answers.toml") {
    std::vector<grader::SchemaError> errors;
    return grader::starter_answers(grader::load_topic(course.root() / "topics" / topic, errors));
  }
  const fs::path solution = course.root() / "solutions" / topic / file;
  if (fs::exists(solution)) {
    const std::string text = base::read_file(solution);
    if (grader::count_regions(text, file) == 0) {
      throw std::runtime_error("the solution of " + file + " does not say what its starter is");
    }
    return grader::derive_starter(text, file);
  }
  const fs::path kept = course.root() / ".starters" / topic / file;
  if (fs::exists(kept)) return base::read_file(kept);
  return {};  // a record has no starter
}

/// An unused name next to `file` that the build does not treat as a kernel.
fs::path free_name_beside(const fs::path& file) {
  for (int number = 1;; ++number) {
    fs::path candidate = file.string() + ".mine-" + std::to_string(number);
    if (!fs::exists(candidate)) return candidate;
  }
}

std::string fresh_text(const Course& course, const grader::Exercise& exercise,
                       const std::string& file, const std::string& now, bool whole_file) {
  std::string starter = starter_text(course, exercise.topic, file);
  if (whole_file || starter.empty()) return starter;
  if (file == "answers.toml") return reset_answer(now, exercise.id);
  return reset_regions(now, starter, exercise.id);
}

void reset_file(const Course& course, const grader::Exercise& exercise, const std::string& name,
                bool whole_file) {
  const fs::path file = course.root() / "topics" / exercise.topic / name;
  const std::string shown = fs::path(file).lexically_relative(course.root()).string();
  if (!fs::exists(file)) {
    const std::string starter = starter_text(course, exercise.topic, name);
    if (starter.empty()) return;
    base::write_file_atomically(file, starter);
    std::printf("%s was missing; the starter was restored.\n", shown.c_str());
    return;
  }
  const std::string now = base::read_file(file);
  const std::string fresh = fresh_text(course, exercise, name, now, whole_file);
  if (fresh == now) {
    std::printf("%s is already the starter.\n", shown.c_str());
    return;
  }
  const fs::path kept = free_name_beside(file);
  base::write_file_atomically(kept, now);
  if (fresh.empty()) {
    fs::remove(file);
    std::printf("%s was removed, as in the starter.\n", shown.c_str());
  } else {
    base::write_file_atomically(file, fresh);
    std::printf("%s: restored %s.\n", shown.c_str(),
                whole_file ? "the whole file" : ("the part of " + exercise.id).c_str());
  }
  std::printf("  Your version is kept as %s\n", kept.filename().c_str());
}

void show_answer(const Course& course, const grader::Exercise& exercise) {
  grader::Workspace workspace;
  workspace.root = course.root();
  workspace.build = course.build();
  workspace.solutions = true;
  grader::Session session(workspace);
  std::printf("%s\n", session.student_answer(exercise).text.c_str());
}

}  // namespace

int reset(const Course& course, const std::string& id, bool whole_file) {
  const grader::Exercise& exercise = course.one(id);
  const base::FileLock lock = lock_checkout(course.memory_folder(), "reset");
  for (const std::string& file : exercise.files) reset_file(course, exercise, file, whole_file);
  fs::remove(course.results_folder() / (exercise.id + ".json"));
  return 0;
}

int show(const Course& course, const std::string& id, bool spoiler) {
  const grader::Exercise& exercise = course.one(id);
  if (!course.has_solutions()) {
    throw std::runtime_error("this repository was handed out without solutions");
  }
  if (!course.is_solved(exercise) && !spoiler) {
    std::printf("%s", wrap(exercise.id + " is not solved yet. For one more hint: ./lab hint " +
                           exercise.id + ". To see the solution now: ./lab show " + exercise.id +
                           " --spoiler")
                          .c_str());
    return 1;
  }
  if (exercise.files.front() == "answers.toml") {
    show_answer(course, exercise);
    return 0;
  }
  for (const std::string& file : exercise.files) {
    const fs::path solution = fs::path("solutions") / exercise.topic / file;
    if (!fs::exists(course.root() / solution)) continue;
    std::printf("%s\n%s", bold(solution.string()).c_str(),
                solution_of(base::read_file(course.root() / solution), exercise.id).c_str());
  }
  return 0;
}

}  // namespace cli
