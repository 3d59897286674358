// SPDX-License-Identifier: MIT
// Does every exercise have what it is judged by?
#pragma once

#include <filesystem>
#include <vector>

#include "grader/exercise.hpp"

namespace grader {

/// Mistakes that an exercises.toml shows only beside solutions/ and the write-up: a number, choice
/// or misconception of which the solutions compute no value, a file of which there is no solution,
/// and an anchor that the write-up does not have.
std::vector<SchemaError> check_solutions(const std::filesystem::path& root,
                                         const std::vector<Topic>& topics);

}  // namespace grader
