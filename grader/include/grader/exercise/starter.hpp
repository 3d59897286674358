// SPDX-License-Identifier: MIT
// Derives the starters from the solutions.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "grader/exercise/exercise.hpp"
#include "grader/exercise/variant.hpp"

namespace grader {

/// Turns a solution into its starter. Marked regions look like
///     //\@solve 02.saxpy.kernel: what to do
///     ...the solution...
///     //\@stub
///     //| what the starter has instead
///     //\@end
/// and become "// TODO(02.saxpy.kernel): what to do", the stub lines, "// END TODO(...)". Files
/// with # comments use #\@solve, #\@stub, #| and #\@end. Everything else is copied.
/// @throws std::runtime_error naming `name` and the line of a marker that does not fit.
std::string derive_starter(std::string_view solution, const std::string& name);

/// The starter with every region filled in as in the solution: the hand-in of a student who found
/// exactly that.
/// @throws like derive_starter.
std::string solved_starter(std::string_view solution, const std::string& name);

/// Number of marked regions of a solution. @throws like derive_starter.
std::size_t count_regions(std::string_view solution, const std::string& name);

/// True when the topic has an answers.toml because some exercise is answered there.
bool asks_for_answers(const Topic& topic);

/// A topic's initial answers.toml: an empty value for every number and choice, with its question
/// and the variant's numbers.
std::string starter_answers(const Topic& topic, const Variant& variant = {});

/// A derived file in topics/, with the content that it should have.
struct Starter {
  std::filesystem::path solution;  ///< empty for answers.toml
  std::filesystem::path file;
  std::string content;
};

/// Every starter of a checkout: one for each file of solutions/NN-name (except answers.cpp), and
/// answers.toml if exercises.toml asks for numbers or choices.
/// @throws std::runtime_error for a marker that does not fit, for a solution without a region, and
/// when there is no starter at all.
std::vector<Starter> plan_starters(const std::filesystem::path& root, const Variant& variant = {});

/// Differences between topics/ and the plan: files that differ (with the first line), missing
/// files, and stray ones: kernels and formulas in topics/ without a solution.
std::vector<std::string> check_starters(const std::filesystem::path& root);

/// Writes every starter that differs. Returns the files written.
std::vector<std::filesystem::path> write_starters(const std::filesystem::path& root);

}  // namespace grader
