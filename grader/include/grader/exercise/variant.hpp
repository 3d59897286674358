// SPDX-License-Identifier: MIT
// Individual numbers for every student or class, drawn from a secret that only the course knows.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/exercise/exercise.hpp"

namespace grader {

/// Whose numbers, and which edition of them. Without a secret everyone has the canonical numbers.
struct Variant {
  std::string secret;
  std::string student;
  int version = 1;  ///< raised to give one student, or all, new numbers
  /// If not empty, every student has the numbers of this class. Its handout contains the write-ups,
  /// which work out the canonical numbers, so the class never gets those if there are others.
  std::string class_name{};
};

/// A shorter secret could be guessed by trial, because a handout and a sheet show what was drawn
/// with it.
inline constexpr std::size_t kShortestSecret = 16;

/// The secret in the first line of a file; a file keeps it out of the process list and the shell's
/// history.
/// @throws std::runtime_error when it cannot be read or is too short.
std::string read_secret(const std::filesystem::path& file);

/// The value of a parameter: one of its choices, by HMAC-SHA256(secret, student or class, exercise,
/// parameter, version). Values are independent between exercises and parameters, except that a
/// parameter with same_as is drawn as the other exercise's.
double value_of(const ExerciseParameter& parameter, const std::string& exercise,
                const Variant& variant);

/// The exercise's task with {name} replaced by the value of parameter `name`, or by the text that
/// the value stands for. Without a variant the parameters are those of the write-up.
std::string task_text(const Exercise& exercise, const Variant& variant = {});

/// The sheet of the student or class: every exercise with parameters, its task with them in place,
/// and their values.
std::string variant_sheet(const std::vector<Topic>& topics, const Variant& variant);

}  // namespace grader
