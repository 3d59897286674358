// SPDX-License-Identifier: MIT
// Judges what a kernel does: FLOPs, loads, stores and sectors, counted by running it.
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "grader/grade.hpp"
#include "grader/number.hpp"

namespace grader {
namespace {

/// What a program's counted entry did on a problem.
struct Run {
  std::map<std::string, double> counts;
  std::string wrong;  ///< what is wrong with its outputs
};

/// Counting takes longer and rounds as plain numbers do: outputs only show that the work was done.
constexpr harness::Tolerance kOutputTolerance{1e-3, 1e-30};

Run run(Program& program, const Exercise& exercise, const Problem& problem) {
  Slot slot(program, 0, exercise.entry + ".counted", problem);
  Run result{slot.count(), {}};
  slot.fetch();
  result.wrong = slot.check(kOutputTolerance);
  slot.drop();
  return result;
}

double count_of(const Run& result, const std::string& counter) {
  const auto found = result.counts.find(counter);
  if (found != result.counts.end()) return found->second;
  throw std::runtime_error("there is no counter named " + counter);
}

/// One line for a counter that is off, coarse where it is too high; empty when it is right.
std::string judge_counter(const std::string& counter, double is, double should,
                          const Exercise& exercise) {
  if (within(is, should, exercise.rtol, exercise.atol)) return {};
  char text[160];
  if (should > 0) {
    std::snprintf(text, sizeof text, "%s: %.10g, which is %.3g times what is needed\n",
                  counter.c_str(), is, is / should);
  } else {
    std::snprintf(text, sizeof text, "%s: %.10g, and none is needed\n", counter.c_str(), is);
  }
  return text;
}

}  // namespace

Verdict grade_counted(Session& session, const Exercise& exercise) {
  if (session.backend() != "cpu") {
    return verdict_for(exercise, Status::kSkipped, "counting runs on the CPU build only");
  }
  const std::unique_ptr<Program> student = session.start_student(exercise);
  const std::unique_ptr<Program> reference = session.start_reference(exercise);
  const std::uint64_t seed = session.seed_for(exercise);
  for (const std::int64_t n : exercise.sizes) {
    const Problem problem =
        session.truth(exercise.topic).make_problem(exercise.entry, n, seed, false);
    const Run is = run(*student, exercise, problem);
    const Run should = run(*reference, exercise, problem);
    std::string wrong = is.wrong;
    for (const std::string& counter : exercise.counters) {
      const double right = count_of(should, counter);
      const auto found = is.counts.find(counter);
      const double counted = found == is.counts.end() ? std::nan("") : found->second;
      wrong += judge_counter(counter, counted, right, exercise);
    }
    if (wrong.empty()) continue;
    Verdict verdict =
        verdict_for(exercise, Status::kFailed,
                    (is.wrong.empty() ? "does other work than needed for n = " : "wrong for n = ") +
                        std::to_string(n));
    verdict.detail = std::move(wrong);
    verdict.seed = session.workspace().seed;
    return verdict;
  }
  return verdict_for(
      exercise, Status::kPassed,
      "does the work that is needed, for " + std::to_string(exercise.sizes.size()) + " sizes");
}

}  // namespace grader
