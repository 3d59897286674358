// SPDX-License-Identifier: MIT
// Wrong solutions: a file holds only the changed lines, the rest comes from the solution
// (tests/wrong/README.md).
#pragma once

#include <filesystem>
#include <string>

#include "grader/exercise/exercise.hpp"

namespace grader {

/// A text with the name that messages use for it.
struct NamedText {
  std::string name;
  std::string text;
};

/// The whole wrong solution: the header of `changes`, then `solution` with its regions filled in
/// and every hunk applied. A hunk's lines must occur in exactly one place.
/// @throws std::runtime_error with file, line and what to do for a hunk that does not fit, changes
/// nothing or overlaps another, and for a file without hunks.
std::string apply_changes(const NamedText& solution, const NamedText& changes);

/// The file that tests/wrong/TOPIC/PROGRAM/NAME.* of a checkout changes: the solution, or the file
/// in a header line "// Changes: FILE".
std::filesystem::path changed_solution(const std::filesystem::path& root,
                                       const std::filesystem::path& wrong);

/// The text of a wrong solution: NAME.diff applied, any other file unchanged. @throws like
/// apply_changes.
std::string wrong_solution(const std::filesystem::path& root, const std::filesystem::path& wrong);

/// Writes NAME.cu or NAME.cpp into `out` for every NAME.diff of tests/wrong/TOPIC/PROGRAM. A file
/// that is up to date is not touched, so that nothing is compiled again.
/// @throws std::runtime_error with the message of every file that does not fit.
void write_wrong_solutions(const std::filesystem::path& root, const std::filesystem::path& folder,
                           const std::filesystem::path& out);

/// Writes tests/wrong/TOPIC/PROGRAM/NAME.diff for editing: one hunk for each of the exercise's
/// regions (for all of the file's regions if it has none), with all lines and a place to change.
/// @throws std::runtime_error for an exercise without a program, and if that file exists.
std::filesystem::path new_wrong_solution(const std::filesystem::path& root,
                                         const Exercise& exercise, const std::string& name);

}  // namespace grader
