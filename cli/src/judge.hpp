// SPDX-License-Identifier: MIT
// The grader's verdicts for the student's own checkout, kept where CTest's tests keep theirs.
#pragma once

#include <cstdint>
#include <vector>

#include "course.hpp"
#include "grader/report/report.hpp"

namespace cli {

/// Judges the exercises one after the other, prints each verdict as soon as it is known and stores
/// it in course.results_folder(), so that an interruption loses nothing. Waits for a ./lab that is
/// running in the same checkout. `seed` is that of the inputs, as grader::chosen_seed() takes it.
grader::Results judge(const Course& course, const std::vector<const grader::Exercise*>& exercises,
                      std::uint64_t seed = 0);

}  // namespace cli
