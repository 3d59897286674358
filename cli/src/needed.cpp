// SPDX-License-Identifier: MIT
// Which of the course's programs an exercise needs, and whether they are up to date.
#include "needed.hpp"

#include <stdexcept>

#include "base/files.hpp"
#include "grader/program/build.hpp"

namespace cli {
namespace {

namespace fs = std::filesystem;

/// The commit that ./lab recorded when it built this tree.
std::string built_from(const Course& course) {
  return base::read_file_if_any(course.build() / ".built-from");
}

/// The file with the same for a program that was built later.
fs::path note_of(const Course& course, const NeededProgram& program) {
  return course.build() / ".built" / program.target;
}

bool is_current(const Course& course, const NeededProgram& program) {
  if (!fs::exists(program.file)) return false;
  // Without a CMake cache nothing can be built, so the programs are used as they are.
  const bool built_by_hand =
      !fs::exists(course.build() / ".built-from") || !fs::exists(course.build() / "CMakeCache.txt");
  return built_by_hand || (fs::exists(note_of(course, program)) &&
                           base::read_file_if_any(note_of(course, program)) == built_from(course));
}

/// Programs that judge an exercise and whose sources exist in this repository.
std::vector<NeededProgram> programs_of(const Course& course, const grader::Exercise& exercise) {
  const std::string& topic = exercise.topic;
  const fs::path bin = course.build() / "bin";
  const fs::path solutions = course.root() / "solutions" / topic;
  std::vector<NeededProgram> programs;
  // The answers programs also recognise the mistake in a prediction that is measured.
  const bool is_answered = exercise.program.empty() || exercise.rules().has_answer;
  if (is_answered && fs::exists(solutions / "answers.cpp")) {
    programs.push_back({topic + "-answers", bin / "solutions" / topic / "answers"});
  }
  if (exercise.program.empty()) return programs;
  if (exercise.rules().uses_reference && fs::exists(solutions)) {
    programs.push_back({topic + "-" + exercise.program + "-solution",
                        bin / "solutions" / topic / exercise.program});
  }
  if (exercise.rules().has_kernels && fs::exists(course.root() / "topics" / topic / "oracle")) {
    programs.push_back({topic + "-oracle", bin / topic / "oracle"});
  }
  return programs;
}

}  // namespace

std::vector<NeededProgram> missing_programs(const Course& course,
                                            const grader::Exercise& exercise) {
  std::vector<NeededProgram> programs = programs_of(course, exercise);
  std::erase_if(programs, [&](const NeededProgram& p) { return is_current(course, p); });
  return programs;
}

void build_missing(const Course& course, const grader::Exercise& exercise,
                   const std::function<void()>& when_waiting) {
  for (const NeededProgram& program : missing_programs(course, exercise)) {
    const std::string errors =
        grader::build_targets(course.build(), {program.target}, course.root(), when_waiting);
    if (!errors.empty()) {
      throw std::runtime_error("the course's program " + program.target + " does not build:\n" +
                               errors);
    }
    const fs::path note = note_of(course, program);
    fs::create_directories(note.parent_path());
    base::write_file_atomically(note, built_from(course));
  }
}

}  // namespace cli
