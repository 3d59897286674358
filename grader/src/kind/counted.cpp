// SPDX-License-Identifier: MIT
// Judges the work of a kernel: FLOPs, loads, stores and sectors, counted in a checked run and
// compared with the formulas of the exercise's oracle.
#include "grader/kind/counted.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "exercise/declaration.hpp"
#include "grader/judge/grade.hpp"
#include "grader/kind/kernel.hpp"
#include "grader/program/launch_errors.hpp"
#include "kind/checked_run.hpp"
#include "kind/count_limits.hpp"

namespace grader {
namespace {

using harness::CountLimit;

const CountedExercise& counted_of(const Exercise& exercise) {
  return exercise.as<CountedExercise>();
}

void read_counted(Declaration& declaration, Exercise& exercise) {
  CountedExercise own;
  declaration.read_program(exercise);
  declaration.read_tolerance(exercise);
  own.sizes = declaration.read_sizes();
  own.counters = declaration.keys().texts("counters", true);
  exercise.fields = std::move(own);
}

/// The plain type of the counting numbers: the widest of the arguments.
std::string type_that_counts(const Problem& problem) {
  const auto is_double = [](const ProblemArgument& argument) {
    return argument.is_buffer && argument.element == harness::Element::kF64;
  };
  return std::ranges::any_of(problem.arguments, is_double) ? "double" : "float";
}

/// Names of kernels and arrays as the student wrote them, without the counting type.
std::string with_plain_types(std::string text, const std::string& plain) {
  constexpr std::string_view kElement = "'Counting [";  // GCC leaves out the element count
  if (const auto at = text.find(kElement); at != std::string::npos) {
    text.replace(at, kElement.size(), "'" + plain + " [");
  }
  constexpr std::string_view kCounting = "gpu::counting::Counting<";
  for (auto at = text.find(kCounting); at != std::string::npos; at = text.find(kCounting, at)) {
    text.erase(at, kCounting.size());
    const auto end = text.find('>', at);
    if (end != std::string::npos) text.erase(end, text.compare(end, 2, "> ") == 0 ? 2 : 1);
  }
  return text;
}

const CountLimit& limit_of(const Problem& problem, const std::string& counter) {
  const auto found = std::find_if(problem.limits.begin(), problem.limits.end(),
                                  [&](const CountLimit& l) { return l.counter == counter; });
  if (found != problem.limits.end()) return *found;
  throw std::runtime_error("the oracle of this exercise says nothing about " + counter);
}

/// What the host copies out of device memory was loaded there, too.
void add_copies(Counts& counts) {
  constexpr double kSectorBytes = 32;
  const double copied = count_of(counts, "bytes_to_host");
  for (auto& [counter, count] : counts) {
    if (counter == "bytes_loaded") count += copied;
    if (counter == "sectors_loaded") count += std::ceil(copied / kSectorBytes);
    if (counter == "loads") count += std::ceil(copied / sizeof(float));
  }
}

bool counts_flops(const Exercise& exercise) {
  return std::ranges::find(counted_of(exercise).counters, "flops") !=
         counted_of(exercise).counters.end();
}

/// True if most of the work is done: the kernel then merely forgets some elements.
bool leaves_out_little(const Problem& problem, const Counts& counts) {
  const double touched = count_of(counts, "compulsory_bytes");
  return touched < problem.bytes_moved && touched >= problem.bytes_moved / 2;
}

/// Counts that are impossible if the kernel did the work itself: its results must come from
/// elsewhere.
std::string judge_least(const Exercise& exercise, const Problem& problem, const Counts& counts) {
  std::string wrong;
  const double touched = count_of(counts, "compulsory_bytes");
  if (touched < problem.bytes_moved) {
    wrong += "the kernel touches " + plain_number(touched) +
             " different bytes of device memory, and " + plain_number(problem.bytes_moved) +
             " hold inputs and results: " +
             (leaves_out_little(problem, counts)
                  ? "at least " + plain_number(problem.bytes_moved - touched) +
                        " are never read or written\n"
                  : "some of the results were not computed by a kernel\n");
  }
  // No known method halves the work of these problems. Arithmetic on plain numbers is not counted.
  const bool has_plain = count_of(counts, "conversions") > 0 && counts_flops(exercise);
  double flops = count_of(counts, "flops");
  // The formula of a softmax contains its exponentials and quotients.
  if (!has_plain) {
    flops += count_of(counts, "divisions") + count_of(counts, "special_functions");
  }
  if (flops < (has_plain ? problem.flops : problem.flops / 2)) {
    wrong += "flops: " + plain_number(flops) +
             (has_plain ? ", less than the " : ", less than half of the ") +
             plain_number(problem.flops) +
             " of the formula: arithmetic on float is not counted.\n" +
             std::string(kTypeThatCounts) + "\n";
  }
  return wrong;
}

constexpr const char* kWhatSectorsAre =
    "A sector is 32 bytes, and an access of a warp counts every sector that its lanes touch. "
    "Nothing is loaded or stored too often here, but by lanes that are too far apart: let each "
    "access of neighbouring threads go to neighbouring elements.\n";

/// The counters beyond their limits in a run, one per line; empty if there are none.
std::string judge_counters(const Exercise& exercise, const Problem& problem, const Counts& counts) {
  std::string wrong;
  bool are_sectors = true;
  for (const std::string& counter : counted_of(exercise).counters) {
    const std::string more = judge_limit(limit_of(problem, counter), counts);
    are_sectors = are_sectors && (more.empty() || counter.starts_with("sectors_"));
    wrong += more;
  }
  return wrong.empty() || !are_sectors ? wrong : wrong + kWhatSectorsAre;
}

/// The counts of a run that passed, for comparison with the student's prediction: one line, and
/// another if it needed less than the usual method.
std::string describe_run(const Exercise& exercise, const Problem& problem, const Counts& counts) {
  std::string line = "n = " + std::to_string(problem.n) + ":";
  std::string less;
  for (const std::string& counter : counted_of(exercise).counters) {
    const double count = count_of(counts, counter);
    line += " " + counter + " " + plain_number(count) + ",";
    const CountLimit& limit = limit_of(problem, counter);
    // With slack the limit is a bound, not the usual kernel's count.
    if (count < limit.needed && limit.most == limit.needed) {
      less += " " + counter + " " + plain_number(limit.needed) + ",";
    }
  }
  line.back() = '\n';
  if (less.empty()) return line;
  less.back() = '\n';
  return line + "  well done, the usual kernel needs more:" + less;
}

}  // namespace

Verdict grade_counted(Session& session, const Exercise& exercise) {
  const std::unique_ptr<Program> student = session.start_counted(exercise);
  if (!student) {
    return verdict_for(exercise, Status::kSkipped,
                       "counting needs the CPU build with checked kernels (see ./lab doctor)");
  }
  const std::uint64_t seed = session.seed_for(exercise);
  std::string done;
  for (const std::int64_t n : counted_of(exercise).sizes) {
    const Problem problem =
        session.oracle(exercise.topic).make_problem(exercise.entry, n, seed, false);
    CheckedRun is = run_checked(*student, exercise.entry + ".counted", problem, kCheckedTolerance);
    if (!is.stopped.empty()) {
      return stopped_verdict(session, exercise,
                             with_plain_types(is.stopped, type_that_counts(problem)),
                             "n = " + std::to_string(n));
    }
    add_copies(is.counts);
    std::string wrong = is.wrong;
    std::string message = "wrong for n = ";
    if (wrong.empty()) {  // otherwise it does not matter where the results come from
      wrong = judge_least(exercise, problem, is.counts);
      message = leaves_out_little(problem, is.counts)
                    ? "leaves elements out for n = "
                    : "right, and not by a counted kernel, for n = ";
    }
    if (const std::string more = judge_counters(exercise, problem, is.counts); !more.empty()) {
      if (wrong.empty()) message = "does more work than needed for n = ";
      wrong += more;
    }
    if (wrong.empty()) {
      done += describe_run(exercise, problem, is.counts);
      continue;
    }
    Verdict verdict = verdict_for(exercise, Status::kFailed, message + std::to_string(n));
    verdict.detail = std::move(wrong);
    verdict.seed = session.workspace().seed;
    return verdict;
  }
  if (auto verdict = refusal_of_kernel(session, exercise)) return *verdict;
  Verdict verdict = verdict_for(
      exercise, Status::kPassed,
      "does no more work than allowed, for " + number_of_sizes(counted_of(exercise).sizes));
  verdict.detail = std::move(done);
  return verdict;
}

constinit const KindRules kCountedRules{.name = "counted",
                                        .read = read_counted,
                                        .judge = grade_counted,
                                        .has_kernels = true,
                                        .judges_how = true,
                                        .is_shared = true};

}  // namespace grader
