// SPDX-License-Identifier: MIT
// Runs a student's entry where every access is seen, at sizes that take about a second.
#pragma once

#include <string>

#include "exercise/declaration.hpp"
#include "grader/judge/grade.hpp"
#include "kind/count_limits.hpp"

namespace grader {

/// Whether a problem is small enough to be run checked.
bool is_small(const Problem& problem);

/// Numbers that count, and the virtual GPU's, round as plain numbers do: outputs only have to show
/// that the work was done.
inline constexpr harness::Tolerance kCheckedTolerance{1e-3, 1e-30};

struct CheckedRun {
  Counts counts;
  std::string stopped;  ///< why, such as a race or a stray access; empty when it ran to its end
  std::string wrong;    ///< what is wrong with its results
};

/// The verdict on a run that was stopped: the cause as its message, and below it threads and lines.
Verdict stopped_verdict(const Session& session, const Exercise& exercise,
                        const std::string& stopped, const std::string& inputs);

/// `checked` is the program with checked kernels, and `entry` the one of it that is run.
CheckedRun run_checked(Program& checked, const std::string& entry, const Problem& problem,
                       const harness::Tolerance& tolerance);

}  // namespace grader
