// SPDX-License-Identifier: MIT
// Checks that every exercise has everything it is judged by.
#pragma once

#include <filesystem>
#include <vector>

#include "grader/exercise/exercise.hpp"

namespace grader {

/// Mistakes in an exercises.toml that only a comparison with solutions/ and the write-up shows: a
/// number, choice or misconception whose value the solutions do not compute, a file without a
/// solution, an anchor missing from the write-up, fewer than two hints, and a speed without a roof.
std::vector<SchemaError> check_solutions(const std::filesystem::path& root,
                                         const std::vector<Topic>& topics);

}  // namespace grader
