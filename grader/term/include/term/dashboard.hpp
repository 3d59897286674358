// SPDX-License-Identifier: MIT
// The class on one page.
#pragma once

#include <string>
#include <vector>

#include "term/statistics.hpp"

namespace term {

/// One self-contained HTML page: totals, assignments, every exercise with the number of students
/// who solved it and the common mistakes, and what a person should look at. It names students only
/// in `term.problems`.
std::string dashboard(const Policy& policy, const Term& term,
                      const std::vector<ExerciseStatistics>& exercises);

}  // namespace term
