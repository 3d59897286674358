// SPDX-License-Identifier: MIT
// The grader's verdicts on the student's own checkout, stored in the same place as those of CTest's
// tests.
#pragma once

#include <cstdint>
#include <vector>

#include "course.hpp"
#include "grader/report/report.hpp"

namespace cli {

/// Judges the exercises one after another, prints each verdict as soon as it is known and stores it
/// in course.results_folder(), so that an interruption loses nothing. Waits for another ./lab that
/// is running in the same checkout. `seed` is the inputs' seed, as for grader::chosen_seed().
grader::Results judge(const Course& course, const std::vector<const grader::Exercise*>& exercises,
                      std::uint64_t seed = 0);

}  // namespace cli
