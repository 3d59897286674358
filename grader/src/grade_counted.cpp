// SPDX-License-Identifier: MIT
// Judges what a kernel does: FLOPs, loads, stores and sectors, counted by running it.
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include "grader/export_student.hpp"
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

/// One line for a counter that is off.
std::string describe_counter(const std::string& counter, double is, double should) {
  char text[160];
  if (should > 0) {
    std::snprintf(text, sizeof text, "%s: %.10g, which is %.3g times what is needed\n",
                  counter.c_str(), is, is / should);
  } else {
    std::snprintf(text, sizeof text, "%s: %.10g, and none is needed\n", counter.c_str(), is);
  }
  return text;
}

double counted_or_nan(const Run& run, const std::string& counter) {
  const auto found = run.counts.find(counter);
  return found == run.counts.end() ? std::nan("") : found->second;
}

/// What a run that passed did, for the student to compare with a prediction: one line.
std::string describe_run(const Exercise& exercise, const Problem& problem, const Run& is) {
  std::string line = "n = " + std::to_string(problem.n) + ":";
  const auto add = [&](const std::string& counter) {
    char text[80];
    std::snprintf(text, sizeof text, " %s %.10g,", counter.c_str(), counted_or_nan(is, counter));
    line += text;
  };
  for (const std::string& counter : exercise.counters) add(counter);
  for (const auto& limited : exercise.at_most) add(limited.first);
  line.back() = '\n';
  return line;
}

/// What is off in a run, a line for each counter; empty when nothing is.
std::string judge_counters(const Exercise& exercise, const Run& is, const Run& should) {
  std::string wrong;
  for (const std::string& counter : exercise.counters) {
    const double right = count_of(should, counter);
    const double count = counted_or_nan(is, counter);
    if (!within(count, right, exercise.rtol, exercise.atol)) {
      wrong += describe_counter(counter, count, right);
    }
  }
  for (const auto& [counter, factor] : exercise.at_most) {
    const double right = count_of(should, counter);
    const double count = counted_or_nan(is, counter);
    if (count <= factor * right + exercise.atol) continue;
    wrong += describe_counter(counter, count, right);
  }
  return wrong;
}

/// The same against a sealed count, of which only equality can be told.
std::string judge_sealed(const Seal& seal, const std::string& counter, double is) {
  const std::optional<Opened> opened = open_number(seal, is);
  if (opened && opened->is_right) return {};
  char text[160];
  std::snprintf(text, sizeof text, "%s: %.10g, which is not what is needed\n", counter.c_str(), is);
  return text;
}

/// Judges the student's counts at one size; empty when all are right.
using JudgeCounts = std::function<std::string(const Problem&, const Run&)>;

JudgeCounts against_reference(const Exercise& exercise, Program& reference) {
  return [&exercise, &reference](const Problem& problem, const Run& is) {
    return judge_counters(exercise, is, run(reference, exercise, problem));
  };
}

JudgeCounts against_seals(const Exercise& exercise, const Handout& handout) {
  return [&exercise, &handout](const Problem& problem, const Run& is) {
    std::string wrong;
    for (const std::string& counter : exercise.counters) {
      const double count = counted_or_nan(is, counter);
      if (std::isnan(count)) {
        wrong += counter + ": not counted\n";
      } else {
        wrong += judge_sealed(handout.count(exercise.id, problem.n, counter), counter, count);
      }
    }
    for (const auto& limited : exercise.at_most) {
      const double limit = handout.limit(exercise.id, problem.n, limited.first);
      const double count = counted_or_nan(is, limited.first);
      if (count <= limit) continue;
      wrong += describe_counter(limited.first, count, limit);
    }
    return wrong;
  };
}

}  // namespace

StoredCounts store_counts(Session& session, const Exercise& exercise, int iterations) {
  const std::unique_ptr<Program> reference = session.start_reference(exercise);
  const std::uint64_t seed = session.seed_for(exercise);
  StoredCounts stored;
  for (const std::int64_t n : exercise.sizes) {
    const Problem problem =
        session.truth(exercise.topic).make_problem(exercise.entry, n, seed, false);
    const Run should = run(*reference, exercise, problem);
    for (const std::string& counter : exercise.counters) {
      stored.seals.push_back(seal_number(count_label(exercise.id, n, counter),
                                         count_of(should, counter), exercise.rtol, exercise.atol,
                                         {}, iterations));
    }
    for (const auto& [counter, factor] : exercise.at_most) {
      stored.limits[count_label(exercise.id, n, counter)] =
          factor * count_of(should, counter) + exercise.atol;
    }
  }
  return stored;
}

std::string work_left_out(Session& session, const Exercise& exercise, const Problem& problem) {
  if (exercise.counters.empty() || session.backend() != "cpu") return {};
  const std::unique_ptr<Program> student = session.start_student(exercise);
  const std::unique_ptr<Program> reference = session.start_reference(exercise);
  const Run is = run(*student, exercise, problem);
  return is.wrong + judge_counters(exercise, is, run(*reference, exercise, problem));
}

Verdict grade_counted(Session& session, const Exercise& exercise) {
  if (session.backend() != "cpu") {
    return verdict_for(exercise, Status::kSkipped, "counting runs on the CPU build only");
  }
  const std::unique_ptr<Program> student = session.start_student(exercise);
  std::unique_ptr<Program> reference;
  if (!session.handout()) reference = session.start_reference(exercise);
  const JudgeCounts judge_counts = reference ? against_reference(exercise, *reference)
                                             : against_seals(exercise, *session.handout());
  const std::uint64_t seed = session.seed_for(exercise);
  std::string done;
  for (const std::int64_t n : exercise.sizes) {
    const Problem problem =
        session.truth(exercise.topic).make_problem(exercise.entry, n, seed, false);
    const Run is = run(*student, exercise, problem);
    std::string wrong = is.wrong + judge_counts(problem, is);
    if (wrong.empty()) {
      done += describe_run(exercise, problem, is);
      continue;
    }
    Verdict verdict =
        verdict_for(exercise, Status::kFailed,
                    (is.wrong.empty() ? "does other work than needed for n = " : "wrong for n = ") +
                        std::to_string(n));
    verdict.detail = std::move(wrong);
    verdict.seed = session.workspace().seed;
    return verdict;
  }
  Verdict verdict = verdict_for(
      exercise, Status::kPassed,
      "does the work that is needed, for " + std::to_string(exercise.sizes.size()) + " sizes");
  verdict.detail = std::move(done);
  return verdict;
}

}  // namespace grader
