// SPDX-License-Identifier: MIT
// The class on one page.
#pragma once

#include <string>
#include <vector>

#include "term/statistics.hpp"

namespace term {

/// One self-contained HTML page: totals, assignments, every exercise with how many solved it and
/// the usual mistakes, and what a person should look at. It names no student but in
/// `term.problems`.
std::string dashboard(const Policy& policy, const Term& term,
                      const std::vector<ExerciseStatistics>& exercises);

}  // namespace term
