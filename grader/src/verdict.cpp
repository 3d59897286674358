// SPDX-License-Identifier: MIT
// Words and defaults of verdicts.
#include "grader/verdict.hpp"

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
    case Status::kError:
      return "error";
  }
  return "unknown";
}

bool is_counted(Status status) {
  return status != Status::kInconclusive && status != Status::kSkipped;
}

Verdict verdict_for(const Exercise& exercise) {
  Verdict verdict;
  verdict.id = exercise.id;
  verdict.title = exercise.title;
  verdict.topic = exercise.topic;
  verdict.kind = exercise.kind;
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

}  // namespace grader
