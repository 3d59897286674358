// SPDX-License-Identifier: MIT
// The parts of a student's file that belong to one exercise.
#pragma once

#include <string>
#include <string_view>

namespace cli {

/// `file` with every TODO region of the exercise replaced by the corresponding one of `starter`.
/// @throws std::runtime_error if marks are missing or not in pairs.
std::string reset_regions(std::string_view file, std::string_view starter, std::string_view id);

/// An answers.toml with the exercise's value emptied. @throws std::runtime_error when it has no
/// such value.
std::string reset_answer(std::string_view file, std::string_view id);

/// The text of a solution in the regions of an exercise, without the marks; all regions of the file
/// if the exercise has none of its own.
std::string solution_of(std::string_view solution, std::string_view id);

}  // namespace cli
