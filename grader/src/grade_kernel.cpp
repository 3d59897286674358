// SPDX-License-Identifier: MIT
// Judges a kernel's outputs on fresh inputs and awkward sizes.
#include <algorithm>

#include "grader/grade.hpp"

namespace grader {
namespace {

constexpr std::int64_t kSpecialValuesSize = 1009;  // a prime, larger than a usual block

/// Runs the student's entry on one problem. Empty when right.
std::string run_case(Program& student, const Exercise& exercise, const Problem& problem) {
  Slot slot(student, 0, exercise.entry, problem);
  slot.run();
  slot.fetch();
  std::string wrong = slot.check({exercise.rtol, exercise.atol});
  slot.drop();
  return wrong;
}

Verdict wrong_verdict(const Exercise& exercise, const Problem& problem, bool special_values,
                      std::string wrong) {
  const std::string inputs =
      special_values ? " with NaN, infinities and zeros among the inputs" : "";
  Verdict verdict =
      verdict_for(exercise, Status::kFailed, "wrong for n = " + std::to_string(problem.n) + inputs);
  verdict.detail = std::move(wrong);

  return verdict;
}

}  // namespace

Verdict grade_kernel(Session& session, const Exercise& exercise) {
  const std::unique_ptr<Program> student = session.start_student(exercise);
  const Hello hello = student->hello();
  if (hello.device.empty()) {
    return verdict_for(exercise, Status::kSkipped,
                       "no device for the " + session.backend() + " build on this machine");
  }
  const std::uint64_t seed = session.seed_for(exercise);
  Program& truth = session.truth(exercise.topic);
  const auto judge_size = [&](std::int64_t n, bool special) -> std::optional<Verdict> {
    // Every size draws for itself: what one draw hides, another shows.
    const std::uint64_t own_seed = seed + static_cast<std::uint64_t>(n);
    const Problem problem = truth.make_problem(exercise.entry, n, own_seed, special);
    std::string wrong = run_case(*student, exercise, problem);
    if (wrong.empty()) return std::nullopt;
    Verdict verdict = wrong_verdict(exercise, problem, special, std::move(wrong));
    verdict.seed = session.workspace().seed;
    return verdict;
  };
  for (const std::int64_t n : exercise.sizes) {
    if (auto verdict = judge_size(n, false)) return *verdict;
  }
  const std::int64_t largest = *std::max_element(exercise.sizes.begin(), exercise.sizes.end());
  if (auto verdict = judge_size(std::min(kSpecialValuesSize, largest), true)) return *verdict;
  Verdict verdict = verdict_for(
      exercise, Status::kPassed,
      "right for " + std::to_string(exercise.sizes.size()) + " sizes and for NaN and infinities");
  verdict.seed = session.workspace().seed;
  return verdict;
}

}  // namespace grader
