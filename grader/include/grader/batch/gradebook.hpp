// SPDX-License-Identifier: MIT
// The class list, and the table of everyone's points.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/exercise/exercise.hpp"
#include "grader/report/report.hpp"

namespace grader {

/// One line of the class list.
struct Student {
  std::string id;
  std::string name;
  int variant_version = 0;  ///< edition of this student's numbers; 0 uses the class's
  std::map<std::string, std::string> columns{};  ///< all fields of the line, see ListRow::fields
};

/// Names that a student's submissions may have: the id, and the text in the class list's column
/// submission, for platforms that put another name first.
std::vector<std::string> submission_names(const Student& student);

/// Reads a list (class_list.hpp) with the column id; name, submission and variant-version also have
/// a meaning, other columns are kept.
/// @throws std::runtime_error naming file and line, also if two students share a submission name,
/// an e-mail address or a platform's id, and for a column whose name nearly matches one of ours
/// ("E-Mail").
std::vector<Student> read_roster(const std::filesystem::path& file);

/// The gradebook: one line per student in the order of the class list, one column per exercise. A
/// student without a result so far has no line, so that nobody takes "not yet" for 0 points.
class Gradebook {
 public:
  Gradebook(std::vector<Student> students, const std::vector<Topic>& topics);
  /// Sets a student's line. An exercise without a verdict, not counted, or not judged because the
  /// grader itself failed, leaves its field empty and is not part of the maximum.
  void enter(const std::string& student, const Results& results);
  std::string csv() const;

 private:
  std::vector<Student> students_;
  std::vector<std::string> exercises_;
  std::map<std::string, std::string> lines_;  ///< by student, without id and name
};

}  // namespace grader
