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

/// Which attempt counts when a student handed in several times. For the best, all are judged.
enum class Attempt { kLast, kFirst, kBest };

/// "last", "first" or "best".
std::string_view name_of(Attempt attempt);

/// A student and everything that the student handed in.
struct Work {
  Student student;
  /// The attempts to be judged, in their order: one, or all where the best counts. Each is several
  /// submissions only when one name was handed in as folder, .zip and so on. Nothing when nothing
  /// was handed in.
  std::vector<std::vector<Submission>> attempts;
  /// The other attempts where one counts; the first readable one replaces a choice that cannot be
  /// read.
  std::vector<std::vector<Submission>> others;
};

/// The class's work, and what belongs to nobody.
struct ClassWork {
  std::vector<Work> students;       ///< in the roster's order
  std::vector<Submission> unowned;  ///< of nobody on the roster
};

/// Sorts submissions by student. Without a roster every name is a student.
///
/// With one, a submission is whose id is the longest that it is named by: the id itself, or the id
/// and then what learning platforms add: "_" and anything, or "-" or a blank and anything but a
/// letter ("max-2" is max's, "max-mueller" is not).
///
/// Attempts are ordered by their names, numbers in them as numbers ("ada_2" before "ada_10").
ClassWork sort_by_student(const std::vector<Submission>& found,
                          const std::optional<std::vector<Student>>& roster, Attempt counts);

}  // namespace grader
