// SPDX-License-Identifier: MIT
// Checks that every exercise has everything it is judged by.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/exercise/exercise.hpp"

namespace grader {

/// Mistakes in an exercises.toml that only a comparison with solutions/ and the write-up shows: a
/// number, choice or misconception whose value the solutions do not compute, a file without a
/// solution, an anchor missing from the write-up, fewer than two hints, and a speed without a roof.
std::vector<SchemaError> check_solutions(const std::filesystem::path& root,
                                         const std::vector<Topic>& topics);

/// True when a hint of a number exercise gives `answer` away, to its tolerance or to half a
/// percent, or as a parameter over a number (n/6). Whole numbers below ten are ignored: a hint may
/// say "4 bytes" if the answer is 4.
bool hint_says_number(const Exercise& exercise, std::string_view hint, double answer);

/// True when a hint of a choice exercise contains the right word and none of the others, or two
/// numbers that are not in the task: the reader need only compare them.
bool hint_says_choice(const Exercise& exercise, std::string_view hint, const std::string& answer);

}  // namespace grader
