// SPDX-License-Identifier: MIT
// The course as the student's command sees it: exercises, files, and what is solved.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/exercise/exercise.hpp"
#include "grader/judge/verdict.hpp"

namespace cli {

/// A line in a file.
struct Place {
  std::filesystem::path file;  ///< relative to the checkout
  int line = 0;                ///< 0 when the file has no such mark
};

class Course {
 public:
  /// `root` is the checkout, `build` its build tree.
  /// @throws std::runtime_error naming file, line and key when an exercises.toml is wrong.
  Course(std::filesystem::path root, std::filesystem::path build);

  const std::filesystem::path& root() const { return root_; }
  const std::filesystem::path& build() const { return build_; }
  std::filesystem::path program(std::string_view name) const { return build_ / "bin" / name; }
  std::filesystem::path machine_file() const { return build_ / "machine.json"; }
  /// Folder with the verdict of every judged exercise, shared with the CTest tests.
  std::filesystem::path results_folder() const;
  /// Folder for the state of ./lab.
  std::filesystem::path memory_folder() const { return root_ / ".lab"; }
  /// False in a repository that a class received without the solutions.
  bool has_solutions() const;

  const std::vector<grader::Exercise>& exercises() const { return exercises_; }
  /// Exercises whose id begins with the words of `prefix` (02.saxpy: 02.saxpy.ai, not
  /// 02.saxpy2.ai). If there are none, those whose id begins with its letters (02.sax). "all"
  /// matches every exercise, and a folder's name all exercises of the topic.
  std::vector<const grader::Exercise*> matching(std::string_view prefix) const;
  /// The same. @throws std::runtime_error suggesting similar ids when there are none.
  std::vector<const grader::Exercise*> chosen(std::string_view prefix) const;
  /// The only match. @throws std::runtime_error if there is none, or several.
  const grader::Exercise& one(std::string_view id) const;
  /// The first unsolved exercise after `after` (from the start if null), wrapping around; null if
  /// all are solved.
  const grader::Exercise* next_unsolved(const grader::Exercise* after = nullptr) const;

  /// The last verdict; null when the exercise has not been judged yet.
  const grader::Verdict* verdict(const grader::Exercise& exercise) const;
  /// Points of the last verdict; nothing when the exercise has not been judged yet.
  std::optional<double> points(const grader::Exercise& exercise) const;
  bool is_solved(const grader::Exercise& exercise) const;
  /// False for exercises that are only shown on this build's backend and need not be solved.
  bool gives_points_for(const grader::Exercise& exercise) const;
  /// Where the student writes: the TODO in the first file, or the entry of answers.toml.
  Place place_of(const grader::Exercise& exercise) const;
  /// The files that a student edits for it, absolute.
  std::vector<std::filesystem::path> files_of(const grader::Exercise& exercise) const;

 private:
  std::filesystem::path root_;
  std::filesystem::path build_;
  std::string backend_;
  std::vector<grader::Exercise> exercises_;
  std::map<std::string, grader::Verdict> verdicts_;  ///< the last of each, by id
};

}  // namespace cli
