// SPDX-License-Identifier: MIT
// Words and defaults of verdicts.
#include "grader/judge/verdict.hpp"

#include <cmath>

namespace grader {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::kPassed:
      return "passed";
    case Status::kPartial:
      return "partial";
    case Status::kFailed:
      return "failed";
    case Status::kUnsolved:
      return "unsolved";
    case Status::kMissing:
      return "missing";
    case Status::kCrashed:
      return "crashed";
    case Status::kTimedOut:
      return "timed out";
    case Status::kInconclusive:
      return "inconclusive";
    case Status::kSkipped:
      return "skipped";
    case Status::kShown:
      return "shown";
    case Status::kError:
      return "error";
  }
  return "unknown";
}

bool is_counted(Status status) {
  return status != Status::kInconclusive && status != Status::kSkipped && status != Status::kShown;
}

double without_rounding_errors(double points) {
  constexpr double kSteps = 1e10;  // finer than any points, coarser than their rounding errors
  return std::round(points * kSteps) / kSteps;
}

Verdict verdict_for(const Exercise& exercise) {
  Verdict verdict;
  verdict.id = exercise.id;
  verdict.title = exercise.title;
  verdict.topic = exercise.topic;
  verdict.kind = exercise.kind();
  verdict.max_points = exercise.points;
  verdict.read = "topics/" + exercise.topic + "/README.md#" + exercise.writeup;
  return verdict;
}

Verdict verdict_for(const Exercise& exercise, Status status, std::string message) {
  Verdict verdict = verdict_for(exercise);
  verdict.status = status;
  verdict.message = std::move(message);
  if (status == Status::kPassed) verdict.points = exercise.points;
  return verdict;
}

Verdict not_judged(const Exercise& exercise, std::string_view backend, std::string why) {
  Verdict verdict = verdict_for(exercise, Status::kMissing, std::move(why));
  return is_graded_on(exercise, backend) ? verdict : only_shown(std::move(verdict));
}

Verdict only_shown(Verdict verdict) {
  verdict.status = Status::kShown;
  verdict.points = 0;
  verdict.max_points = 0;
  verdict.detail += verdict.detail.empty() || verdict.detail.ends_with('\n') ? "" : "\n";
  verdict.detail += "Shown, not graded: without a GPU speed is not judged.";
  return verdict;
}

}  // namespace grader
