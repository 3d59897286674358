// SPDX-License-Identifier: MIT
// The class list, and the table of everyone's points.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/exercise.hpp"
#include "grader/report.hpp"

namespace grader {

/// One line of the class list.
struct Student {
  std::string id;
  std::string name;
  int variant_version = 0;  ///< edition of this student's numbers; 0 for the class's
};

/// Reads a CSV in UTF-8 with a header that has the column id (and name and variant-version, if it
/// likes; in any case), separated by commas, semicolons or tabs.
/// @throws std::runtime_error naming file and line.
std::vector<Student> read_roster(const std::filesystem::path& file);

/// The gradebook: one line a student in the order of the class list, one column an exercise.
/// Students without a result so far have no line, so that nobody takes "not yet" for 0 points.
class Gradebook {
 public:
  Gradebook(std::vector<Student> students, const std::vector<Topic>& topics);
  /// Sets a student's line. An exercise without a verdict, or not counted, is an empty field.
  void enter(const std::string& student, const Results& results);
  std::string csv() const;

 private:
  std::vector<Student> students_;
  std::vector<std::string> exercises_;
  std::map<std::string, std::string> lines_;  ///< by student, without id and name
};

}  // namespace grader
