// SPDX-License-Identifier: MIT
// Chooses the judge of an exercise and turns failures into verdicts.
#include "grader/grade.hpp"

#include <exception>

namespace grader {
namespace {

Verdict judge(Session& session, const Exercise& exercise) {
  switch (exercise.kind) {
    case Kind::kNumber:
      return grade_number(session, exercise);
    case Kind::kChoice:
      return grade_choice(session, exercise);
    case Kind::kFunction:
      return grade_function(session, exercise);
    case Kind::kKernel:
      return grade_kernel(session, exercise);
    case Kind::kSpeed:
      return grade_speed(session, exercise);
    case Kind::kMeasurement:
      return grade_measurement(session, exercise);
    case Kind::kPrediction:
      return grade_prediction(session, exercise);
    default:
      return verdict_for(
          exercise, Status::kError,
          "this grader cannot judge exercises of kind " + std::string(name_of(exercise.kind)));
  }
}

Verdict verdict_of(const Exercise& exercise, const ChildFailure& failure) {
  Verdict verdict = verdict_for(exercise, Status::kFailed, failure.what());
  verdict.output = failure.output;
  switch (failure.failure) {
    case Failure::kMissing:
      verdict.status = Status::kMissing;
      break;
    case Failure::kDoesNotCompile:
      verdict.message = exercise.program + " does not compile";
      verdict.detail = failure.what();
      break;
    case Failure::kUnsolved:
      verdict.status = Status::kUnsolved;
      verdict.output.clear();
      break;
    case Failure::kTimedOut:
      verdict.status = Status::kTimedOut;
      verdict.message = exercise.program + ": " + failure.what();
      break;
    case Failure::kError:
      verdict.message = exercise.program + " reports an error";
      verdict.detail = failure.what();
      break;
    case Failure::kCrashed:
    case Failure::kFlood:
    case Failure::kProtocol:
      verdict.status = Status::kCrashed;
      verdict.message = exercise.program + ": " + failure.what();
      break;
  }
  return verdict;
}

}  // namespace

Verdict grade(Session& session, const Exercise& exercise) {
  const auto start = Clock::now();
  Verdict verdict;
  try {
    verdict = exercise.needs_gpu && session.backend() == "cpu"
                  ? verdict_for(exercise, Status::kSkipped, "needs a GPU; this is the CPU build")
                  : judge(session, exercise);
  } catch (const ChildFailure& failure) {
    verdict = verdict_of(exercise, failure);
  } catch (const std::exception& error) {
    verdict = verdict_for(exercise, Status::kError, error.what());
  }
  verdict.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return verdict;
}

}  // namespace grader
