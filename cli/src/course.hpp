// SPDX-License-Identifier: MIT
// The course as the student's command sees it: exercises, files, and what is solved.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/exercise.hpp"

namespace cli {

/// A line of a file.
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

  const std::vector<grader::Exercise>& exercises() const { return exercises_; }
  /// Exercises whose id is `prefix`, or begins with it and a dot.
  std::vector<const grader::Exercise*> matching(std::string_view prefix) const;
  /// Points of the last grading; nothing when the exercise was not graded yet.
  std::optional<double> points(const grader::Exercise& exercise) const;
  bool is_solved(const grader::Exercise& exercise) const;
  /// Where the student writes: the TODO in the first file, or the entry of answers.toml.
  Place place_of(const grader::Exercise& exercise) const;

 private:
  std::filesystem::path root_;
  std::filesystem::path build_;
  std::vector<grader::Exercise> exercises_;
  std::map<std::string, double> points_;  ///< of the last grading, by id
};

}  // namespace cli
