// SPDX-License-Identifier: MIT
// Checks that every exercise has what it is judged by.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/exercise/exercise.hpp"

namespace grader {

/// Mistakes that an exercises.toml shows only beside solutions/ and the write-up: a number, choice
/// or misconception of which the solutions compute no value, a file of which there is no solution,
/// an anchor that the write-up does not have, fewer than two hints, and a speed without a roof.
std::vector<SchemaError> check_solutions(const std::filesystem::path& root,
                                         const std::vector<Topic>& topics);

/// True when a hint of a number exercise says `answer`, to its tolerance or to half a percent.
/// Whole numbers below ten are not looked for: a hint may say "4 bytes" where the answer is 4.
bool hint_says_number(const Exercise& exercise, std::string_view hint, double answer);

/// True when a hint of a choice exercise has the right word in it and none of the others.
bool hint_says_choice(const Exercise& exercise, std::string_view hint, const std::string& answer);

}  // namespace grader
