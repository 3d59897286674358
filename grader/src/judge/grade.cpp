// SPDX-License-Identifier: MIT
// Selects the judge of an exercise and turns failures into verdicts.
#include "grader/judge/grade.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

namespace grader {
namespace {

Status status_after(Failure failure) {
  switch (failure) {
    case Failure::kMissing:
      return Status::kMissing;
    case Failure::kUnsolved:
      return Status::kUnsolved;
    case Failure::kTimedOut:
      return Status::kTimedOut;
    case Failure::kDoesNotCompile:
    case Failure::kRefused:
    case Failure::kError:
      return Status::kFailed;
    case Failure::kCrashed:
    case Failure::kFlood:
    case Failure::kProtocol:
      return Status::kCrashed;
  }
  throw std::logic_error("an unknown failure");
}

Verdict verdict_of(const Exercise& exercise, const ChildFailure& failure) {
  const std::string text = failure.what();
  Verdict verdict = verdict_for(exercise, status_after(failure.failure), text);
  if (failure.failure == Failure::kMissing || failure.failure == Failure::kUnsolved) return verdict;
  if (failure.failure == Failure::kDoesNotCompile) {
    verdict.message = exercise.program + " does not compile";
    verdict.detail = text;
    return verdict;
  }
  if (failure.failure == Failure::kRefused) {
    verdict.message = exercise.program + " is not run: " + text;
    return verdict;
  }
  const std::size_t end = text.find('\n');
  verdict.message = exercise.program + ": " + text.substr(0, end);
  if (end < text.size()) verdict.detail = text.substr(end + 1);
  return verdict;
}

/// Why nobody could be judged on this exercise here; empty when everybody can.
std::string what_this_machine_lacks(const Session& session, const Exercise& exercise) {
  const bool is_cpu = session.backend() == "cpu";
  if (exercise.needs_gpu && is_cpu) return "needs a GPU; this is the CPU build";
  if (exercise.needs_machine() && !session.machine() && !is_cpu) {
    return "this machine's GPU has not been measured; run: ./lab start --preset " +
           session.backend();
  }
  return {};
}

}  // namespace

std::optional<Verdict> not_to_be_judged(Session& session, const Exercise& exercise,
                                        const Hello& hello) {
  if (std::find(hello.entries.begin(), hello.entries.end(), exercise.entry) ==
      hello.entries.end()) {
    return verdict_for(exercise, Status::kFailed,
                       "the file has no lab " + exercise.entry + "; its line HARNESS_LAB(" +
                           exercise.entry + ", ...) is missing");
  }
  if (!hello.device.empty()) return std::nullopt;
  const bool has_device =
      session.backend() == "cpu" ||
      (!session.handout() && !session.start_reference(exercise)->hello().device.empty());
  return has_device
             ? verdict_for(exercise, Status::kFailed, "it does not use this machine's device")
             : verdict_for(exercise, Status::kSkipped,
                           "no device for the " + session.backend() + " build on this machine");
}

Verdict only_with_solutions(const Exercise& exercise) {
  return verdict_for(exercise, Status::kSkipped,
                     "only your course's own grading can judge this one: this repository has no "
                     "solutions to compare with");
}

Verdict grade(Session& session, const Exercise& exercise) {
  const auto start = Clock::now();
  Verdict verdict;
  try {
    const std::string obstacle = what_this_machine_lacks(session, exercise);
    verdict = obstacle.empty() ? exercise.rules().judge(session, exercise)
                               : verdict_for(exercise, Status::kSkipped, obstacle);
  } catch (const ChildFailure& failure) {
    verdict = verdict_of(exercise, failure);
    if (failure.failure == Failure::kTimedOut) session.remember_timeout(exercise);
  } catch (const std::exception& error) {
    verdict = verdict_for(exercise, Status::kError, error.what());
  }
  if (!session.gives_points_for(exercise) && verdict.status != Status::kSkipped &&
      verdict.status != Status::kError) {
    verdict = only_shown(std::move(verdict));
  }
  std::string printed = session.take_printed();
  if (verdict.status != Status::kUnsolved) verdict.output = std::move(printed);
  verdict.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (!exercise.program.empty()) session.spend(verdict.seconds);
  return verdict;
}

}  // namespace grader
