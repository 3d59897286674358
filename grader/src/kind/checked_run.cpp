// SPDX-License-Identifier: MIT
// Limits the work of a checked run, and describes how it ends.
#include "kind/checked_run.hpp"

#include <algorithm>

namespace grader {
namespace {

/// Work of the largest problem for a checked run, in FLOPs and in numbers moved: about a second.
constexpr double kMostCheckedWork = 5e5;

/// The same if the work itself is judged, because only a larger problem shows it.
constexpr double kMostCountedWork = 5e6;

bool asks_for_work(const Problem& problem) {
  return std::ranges::any_of(problem.limits, [](const auto& limit) { return limit.least > 0; });
}

}  // namespace

bool is_small(const Problem& problem) {
  return problem.flops + problem.bytes_moved / sizeof(float) <=
         (asks_for_work(problem) ? kMostCountedWork : kMostCheckedWork);
}

Verdict stopped_verdict(const Session& session, const Exercise& exercise,
                        const std::string& stopped, const std::string& inputs) {
  const std::size_t end = stopped.find('\n');
  Verdict verdict =
      verdict_for(exercise, Status::kFailed, stopped.substr(0, end) + ", for " + inputs);
  if (end < stopped.size()) verdict.detail = stopped.substr(end + 1);
  verdict.seed = session.workspace().seed;
  return verdict;
}

CheckedRun run_checked(Program& checked, const std::string& entry, const Problem& problem,
                       const harness::Tolerance& tolerance) {
  CheckedRun result;
  Slot slot(checked, 0, entry, problem, 0);
  try {
    result.counts = slot.count();
  } catch (const ChildFailure& failure) {
    if (failure.failure != Failure::kError) throw;
    result.stopped = failure.what();
    return result;
  }
  slot.fetch();
  result.wrong = slot.check(tolerance);
  slot.drop();
  return result;
}

std::string number_of_sizes(const std::vector<std::int64_t>& sizes) {
  return std::to_string(sizes.size()) + (sizes.size() == 1 ? " size" : " sizes");
}

}  // namespace grader
