// SPDX-License-Identifier: MIT
// Runs a student's entry with every access checked, at sizes that take about a second.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "exercise/declaration.hpp"
#include "grader/judge/grade.hpp"
#include "kind/count_limits.hpp"

namespace grader {

/// Whether a problem is small enough for a checked run.
bool is_small(const Problem& problem);

/// Counting numbers and those of the virtual GPU round like plain numbers; outputs only have to
/// show that the work was done.
inline constexpr harness::Tolerance kCheckedTolerance{1e-3, 1e-30};

struct CheckedRun {
  Counts counts;
  std::string stopped;  ///< why, such as a race or a stray access; empty when it ran to its end
  std::string wrong;    ///< what is wrong with its results
};

/// The verdict on a stopped run: the cause as its message, followed by threads and lines.
Verdict stopped_verdict(const Session& session, const Exercise& exercise,
                        const std::string& stopped, const std::string& inputs);

/// `checked` is the program with checked kernels, and `entry` the one to run.
CheckedRun run_checked(Program& checked, const std::string& entry, const Problem& problem,
                       const harness::Tolerance& tolerance);

/// "1 size" or "12 sizes".
std::string number_of_sizes(const std::vector<std::int64_t>& sizes);

}  // namespace grader
