// SPDX-License-Identifier: MIT
// The result of one exercise: the model behind every report.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/exercise/exercise.hpp"

namespace grader {

/// How an exercise ended.
enum class Status {
  kPassed,    ///< all points
  kPartial,   ///< some points
  kFailed,    ///< examined, and wrong
  kUnsolved,  ///< still the starter, or no answer given
  kMissing,   ///< nothing to run: not built, not submitted
  kCrashed,
  kTimedOut,
  kInconclusive,  ///< too noisy to decide; not counted, to be rerun
  kSkipped,       ///< this machine cannot run it (no GPU); not counted
  kShown,         ///< for the student's information; nothing can be earned or lost
  kError          ///< the course's own mistake, not the student's
};

/// The status as one word, for reports.
std::string_view name_of(Status status);

/// True if the exercise is part of the sum of points.
bool is_counted(Status status);

/// Everything that a report may show about one exercise. `message` and `detail` never contain the
/// right value of a number or choice.
struct Verdict {
  std::string id;
  std::string title;
  std::string topic;
  Kind kind = Kind::kNumber;
  Status status = Status::kError;
  double points = 0;
  double max_points = 0;
  std::string message;                                  ///< one sentence
  std::string detail;                                   ///< further lines, such as wrong elements
  std::string read;                                     ///< where to read: FILE#ANCHOR
  std::string output;                                   ///< what the program printed, sanitized
  std::vector<std::pair<std::string, double>> metrics;  ///< measured figures, in base units
  std::uint64_t seed = 0;                               ///< of generated inputs; 0 when none
  double seconds = 0;                                   ///< that judging took
};

/// Points, or a share of them, without the last digits: sums of decimal fractions that are equal on
/// paper differ there by the order of the additions, and no comparison may depend on that.
double without_rounding_errors(double points);

/// A verdict on `exercise` with no points yet.
Verdict verdict_for(const Exercise& exercise);

/// The same, with a status and a sentence. kPassed earns all points.
Verdict verdict_for(const Exercise& exercise, Status status, std::string message);

/// The same for an exercise that was not judged: none of the points that `backend` gives for it.
Verdict not_judged(const Exercise& exercise, std::string_view backend, std::string why);

/// A verdict that is only shown: without points or a maximum, whatever the result.
Verdict only_shown(Verdict verdict);

}  // namespace grader
