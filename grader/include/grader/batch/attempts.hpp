// SPDX-License-Identifier: MIT
// Which student a submission belongs to, and which of several attempts counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grader/batch/gradebook.hpp"
#include "grader/batch/submission.hpp"

namespace grader {

/// Which attempt counts when a student handed in several times. For kBest, all are judged.
enum class Attempt { kLast, kFirst, kBest };

/// "last", "first" or "best".
std::string_view name_of(Attempt attempt);

/// A student and everything that the student handed in.
struct Work {
  Student student;
  /// The attempts to judge, in order: one, or all if the best counts. An attempt holds several
  /// submissions only if one name was handed in as a folder, a .zip and so on. Empty if nothing was
  /// handed in.
  std::vector<std::vector<Submission>> attempts;
  /// The remaining attempts if only one counts. If the chosen one cannot be read, the first
  /// readable one of these replaces it.
  std::vector<std::vector<Submission>> others;
  std::vector<std::string> not_judged{};  ///< Other::problem of everything else, such as a PDF
};

/// The class's work, and what belongs to nobody.
struct ClassWork {
  std::vector<Work> students;           ///< in the roster's order
  std::vector<Submission> unowned;      ///< of nobody on the roster
  std::vector<std::string> not_judged;  ///< of nobody on the roster, as Work::not_judged
};

/// Sorts submissions by student. Without a roster every name is a student.
///
/// With a roster, a submission's name is a student's id, or an id followed by what learning
/// platforms append: "_" and anything, or "-" or a blank and anything but a letter ("max-2" is
/// max's, "max-mueller" is not). The longest matching id decides.
///
/// Attempts are ordered by name, with numbers compared as numbers ("ada_2" before "ada_10").
ClassWork sort_by_student(const Found& found, const std::optional<std::vector<Student>>& roster,
                          Attempt counts);

/// Some platforms (Canvas) deliver each uploaded file by itself. Single files of a student are
/// joined into one hand-in as long as no two of them are the same file of the course; if they are,
/// the attempt that comes first in `attempts` gets the rest. `topics` are all of the course.
std::vector<std::vector<Submission>> join_single_files(
    std::vector<std::vector<Submission>> attempts, const std::vector<Topic>& topics);

}  // namespace grader
