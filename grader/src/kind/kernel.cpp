// SPDX-License-Identifier: MIT
// Judges a kernel on fresh inputs and awkward sizes: first a checked run, in which every access is
// checked, then the results at full speed.
#include "grader/kind/kernel.hpp"

#include <algorithm>
#include <string_view>

#include "exercise/declaration.hpp"
#include "grader/judge/grade.hpp"
#include "kind/checked_run.hpp"
#include "kind/count_limits.hpp"

namespace grader {
namespace {

constexpr const char* kRightWithoutOptimisation =
    "The checked build, which is not optimised, was right for these inputs. Reading a variable as "
    "another type through a pointer has this effect, such as a uint4 as __half2: copy its bytes "
    "with memcpy. So has a variable that is not set on every path.\n";
constexpr std::int64_t kSpecialValuesSize = 1009;  // a prime, larger than a usual block

const KernelExercise& kernel_of(const Exercise& exercise) {
  return exercise.as<KernelExercise>();
}

void read_kernel(Declaration& declaration, Exercise& exercise) {
  declaration.read_program(exercise);
  declaration.read_tolerance(exercise);
  exercise.fields = KernelExercise{declaration.read_sizes()};
}

/// What the counts of a checked run show to be wrong.
struct Missing {
  std::string left_out;  ///< work that the exercise asks for
  // Reported when the results are right:
  std::string others;       ///< evidence that no kernel made them
  std::string another_way;  ///< to work than the exercise asks for
};

/// Bytes of a result that must be written: all of an output; of an argument that is also an input,
/// those that change.
double changed_bytes(const ProblemArgument& argument) {
  const std::size_t size = harness::size_of(argument.element);
  std::size_t changed = 0;
  for (std::size_t i = 0; i < argument.expected.size(); ++i) {
    const bool stays = !argument.initial.empty() &&
                       harness::read_element(argument.element, &argument.initial[i * size]) ==
                           argument.expected[i];
    changed += stays ? 0 : size;
  }
  return static_cast<double>(changed);
}

bool is_limited(const Problem& problem, std::string_view counter) {
  return std::ranges::any_of(problem.limits,
                             [&](const auto& limit) { return limit.counter == counter; });
}

/// If a program's work is loops on a CPU, the oracle limits the launches.
bool needs_no_kernel(const Problem& problem) {
  return is_limited(problem, "launches");
}

/// If a library may do the work, the oracle limits its calls. The library's work is not counted.
bool may_call_library(const Problem& problem) {
  return is_limited(problem, "library_calls");
}

/// Arguments of a few launches.
constexpr double kUsualArgumentBytes = 512;
/// A host may look at a total, a flag or a count. Larger sizes show whether it looks at everything.
constexpr double kFewBytes = 256;

double input_bytes(const Problem& problem) {
  std::size_t bytes = 0;
  for (const ProblemArgument& argument : problem.arguments) bytes += argument.initial.size();
  return static_cast<double>(bytes);
}

/// Evidence that the results do not come from a kernel but, say, from a loop on the host, which can
/// reach the device's memory on a CPU. Empty if a kernel may have computed them.
std::string work_of_others(const Problem& problem, const Counts& counts) {
  if (problem.n == 0) return {};
  double results = 0;
  for (const ProblemArgument& argument : problem.arguments) results += changed_bytes(argument);
  const bool is_counted = !may_call_library(problem);
  if (is_counted && results > 0 && count_of(counts, "launches") < 1) {
    return "no kernel was launched; on a GPU, host code cannot reach the arguments\n";
  }
  // Data for the host's computation is copied to the host and back, or goes through variables and
  // arguments.
  const double to_host =
      count_of(counts, "bytes_to_host") + count_of(counts, "bytes_stored_in_variables");
  const double by_arguments = count_of(counts, "argument_bytes") - kUsualArgumentBytes;
  const double to_device = count_of(counts, "bytes_to_device") + std::max(0.0, by_arguments);
  const double input = input_bytes(problem);
  if (results > 0 && to_host >= std::max(kFewBytes, input / 2) && to_device >= results / 2) {
    return "the host takes " + plain_number(to_host) +
           " bytes out of device memory, where the input has " + plain_number(input) +
           ", and puts " + plain_number(to_device) + " back: the kernel has to do the work\n";
  }
  // However the host got at the data, it computed the results.
  const double flops = count_of(counts, "executed_flops") + 2 * count_of(counts, "matrix_products");
  if (results > 0 && to_device >= std::max(kFewBytes, results / 2) && flops < problem.flops / 2) {
    return "the kernels do " + plain_number(flops) + " FLOPs, and the problem has " +
           plain_number(problem.flops) + "; the host puts " + plain_number(to_device) +
           " bytes into device memory, where the results have " + plain_number(results) +
           ": the kernel has to do the work\n";
  }
  // Half of the bytes: a part may be cleared or copied by other means.
  const double touched = count_of(counts, "compulsory_bytes");
  if (!is_counted || touched >= results / 2) return {};
  return "the kernels touch " + plain_number(touched) +
         " different bytes of device memory, and the results have " + plain_number(results) +
         ": some of the results were not computed by a kernel\n";
}

/// Both texts are empty if nothing is missing.
Missing missing_of(const Problem& problem, const Counts& counts) {
  Missing result{{}, work_of_others(problem, counts), {}};
  for (const harness::CountLimit& limit : problem.limits) {
    if (limit.least <= 0) continue;
    (limit.advice.empty() ? result.left_out : result.another_way) += judge_limit(limit, counts);
  }
  return result;
}

/// Runs the student's entry on one problem. Empty if the results are right.
std::string run_case(Program& student, const Exercise& exercise, const Problem& problem) {
  Slot slot(student, 0, exercise.entry, problem);
  slot.run();
  slot.fetch();
  std::string wrong = slot.check({exercise.rtol, exercise.atol});
  slot.drop();
  return wrong;
}

Verdict wrong_verdict(const Session& session, const Exercise& exercise, const std::string& message,
                      std::string detail) {
  Verdict verdict = verdict_for(exercise, Status::kFailed, message);
  verdict.detail = std::move(detail);
  verdict.seed = session.workspace().seed;
  return verdict;
}

Verdict judge_kernel(Session& session, const Exercise& exercise) {
  return session.judge_kernel(exercise);
}

}  // namespace

std::optional<Verdict> refusal_of_kernel(Session& session, const Exercise& exercise) {
  if (!exercise.kernel) return std::nullopt;
  const Exercise& kernel = *exercise.kernel;
  Verdict verdict = session.verdict_on_kernel(kernel);
  if (verdict.status == Status::kPassed || verdict.status == Status::kSkipped) return std::nullopt;
  Verdict refused = verdict_for(exercise, verdict.status, verdict.message);
  refused.detail = std::move(verdict.detail);
  if (!refused.detail.empty() && !refused.detail.ends_with('\n')) refused.detail += '\n';
  refused.detail += "A kernel that " + kernel.id + " refuses earns nothing for how it works.\n";
  refused.seed = verdict.seed;
  return refused;
}

Verdict grade_kernel(Session& session, const Exercise& exercise) {
  const std::unique_ptr<Program> student = session.start_student(exercise);
  if (auto verdict = not_to_be_judged(session, exercise, student->hello())) return *verdict;
  const std::unique_ptr<Program> checked = session.start_checked(exercise);
  const std::uint64_t seed = session.seed_for(exercise);
  Program& oracle = session.oracle(exercise.topic);
  // A correct kernel may take long for one size, and several times as long for all of them: blocks
  // with barriers are slow on a CPU, whatever the problem size.
  constexpr double kLimitsInAll = 3;
  const double limit = session.limits_for(exercise).wall_seconds;
  bool has_special_values = false;
  const auto judge_size = [&](std::int64_t n, bool special) -> std::optional<Verdict> {
    const double used = student->seconds_used() + (checked ? checked->seconds_used() : 0);
    if (used < (kLimitsInAll - 1) * limit) {
      student->restart_clock();
      if (checked) checked->restart_clock();
    }
    // Every size draws its own inputs: one draw may reveal what another hides.
    const std::uint64_t own_seed = seed + static_cast<std::uint64_t>(n);
    const Problem problem = oracle.make_problem(exercise.entry, n, own_seed, special);
    has_special_values =
        special && std::ranges::any_of(problem.arguments, [](const ProblemArgument& argument) {
          return harness::is_floating(argument.element) && !argument.initial.empty();
        });
    const std::string inputs =
        "n = " + std::to_string(n) +
        (has_special_values ? " with NaN, infinities and zeros among the inputs" : "");
    Missing missing;
    std::string checked_wrong;
    const bool is_checked = checked && !special && is_small(problem) && !needs_no_kernel(problem);
    if (is_checked) {
      CheckedRun run =
          run_checked(*checked, exercise.entry, problem, {exercise.rtol, exercise.atol});
      if (!run.stopped.empty()) {
        return stopped_verdict(session, exercise, run.stopped, inputs);
      }
      checked_wrong = std::move(run.wrong);
      missing = missing_of(problem, run.counts);
      if (!missing.left_out.empty()) {
        return wrong_verdict(session, exercise, "leaves work out for " + inputs,
                             std::move(missing.left_out));
      }
    }
    std::string wrong = run_case(*student, exercise, problem);
    if (!wrong.empty()) {
      // A mistake that has been recognised is the cause; what rounds differently without
      // optimisation may be right there by luck.
      const bool is_explained = wrong.find("It looks like this: ") != std::string::npos;
      if (is_checked && checked_wrong.empty() && !is_explained) wrong += kRightWithoutOptimisation;
      return wrong_verdict(session, exercise, "wrong for " + inputs, std::move(wrong));
    }
    // A source can detect from compiler options that it is being checked.
    if (!checked_wrong.empty()) {
      checked_wrong +=
          "These are the results of the checked build. The fast one was right for these inputs, "
          "perhaps by another path, such as that for the edges.\n";
      return wrong_verdict(session, exercise, "wrong in the checked build, for " + inputs,
                           std::move(checked_wrong));
    }
    if (!missing.others.empty()) {
      return wrong_verdict(session, exercise, "right, but not computed by a kernel, for " + inputs,
                           std::move(missing.others));
    }
    if (missing.another_way.empty()) return std::nullopt;
    return wrong_verdict(session, exercise, "right, but not in the way asked for, for " + inputs,
                         std::move(missing.another_way));
  };
  for (const std::int64_t n : kernel_of(exercise).sizes) {
    if (auto verdict = judge_size(n, false)) return *verdict;
  }
  const std::int64_t largest =
      *std::max_element(kernel_of(exercise).sizes.begin(), kernel_of(exercise).sizes.end());
  if (auto verdict = judge_size(std::min(kSpecialValuesSize, largest), true)) return *verdict;
  Verdict verdict = verdict_for(exercise, Status::kPassed,
                                "right for " + number_of_sizes(kernel_of(exercise).sizes) +
                                    (has_special_values ? " and for NaN and infinities" : ""));
  verdict.seed = session.workspace().seed;
  return verdict;
}

constinit const KindRules kKernelRules{.name = "kernel",
                                       .read = read_kernel,
                                       .judge = judge_kernel,
                                       .has_kernels = true,
                                       .judges_results = true,
                                       .runs_on_device = true,
                                       .is_shared = true};

}  // namespace grader
