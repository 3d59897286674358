// SPDX-License-Identifier: MIT
// Chooses the judge of an exercise and turns failures into verdicts.
#include "grader/grade.hpp"

#include <exception>
#include <stdexcept>

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
    case Kind::kCounted:
      return grade_counted(session, exercise);
    case Kind::kKernel:
      return grade_kernel(session, exercise);
    case Kind::kSpeed:
      return session.handout() ? grade_speed_by_roof(session, exercise)
                               : grade_speed(session, exercise);
    case Kind::kMeasurement:
      return grade_measurement(session, exercise);
    case Kind::kPrediction:
      return grade_prediction(session, exercise);
  }
  throw std::logic_error("an exercise without a kind");
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

/// Why nobody could be judged on this exercise here; empty when everybody can.
std::string what_this_machine_lacks(const Session& session, const Exercise& exercise) {
  const bool is_cpu = session.backend() == "cpu";
  if (exercise.needs_gpu && is_cpu) return "needs a GPU; this is the CPU build";
  if (exercise.needs_machine && !session.machine() && !is_cpu) {
    return "this machine's GPU has not been measured; run: ./lab start --preset " +
           session.backend();
  }
  return {};
}

}  // namespace

Verdict grade(Session& session, const Exercise& exercise) {
  const auto start = Clock::now();
  Verdict verdict;
  try {
    const std::string obstacle = what_this_machine_lacks(session, exercise);
    verdict = obstacle.empty() ? judge(session, exercise)
                               : verdict_for(exercise, Status::kSkipped, obstacle);
  } catch (const ChildFailure& failure) {
    verdict = verdict_of(exercise, failure);
  } catch (const std::exception& error) {
    verdict = verdict_for(exercise, Status::kError, error.what());
  }
  verdict.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return verdict;
}

}  // namespace grader
