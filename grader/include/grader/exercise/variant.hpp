// SPDX-License-Identifier: MIT
// Numbers of their own for every student or class, drawn from a secret that only the course knows.
#pragma once

#include <cstdint>
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
  /// Not empty: everybody in this class has the same numbers, whoever the student is. Its handout
  /// has the write-ups in it, so these numbers are never the canonical ones where there are others.
  std::string class_name{};
};

/// Shorter secrets could be guessed by trial, because a handout and a sheet show what was drawn
/// with them.
inline constexpr std::size_t kShortestSecret = 16;

/// The secret in the first line of a file, so that it is neither in the process list nor in a
/// history. @throws std::runtime_error when it cannot be read or is too short.
std::string read_secret(const std::filesystem::path& file);

/// The value of a parameter: one of its choices, by HMAC-SHA256(secret, student or class, exercise,
/// parameter, version). Independent between exercises and parameters, except that a parameter which
/// is the same as another exercise's is drawn as that one.
double value_of(const ExerciseParameter& parameter, const std::string& exercise,
                const Variant& variant);

/// The exercise's task with {name} replaced by the value of parameter `name`, or by the text that
/// the value stands for. Without a variant the parameters are those of the write-up.
std::string task_text(const Exercise& exercise, const Variant& variant = {});

/// The sheet of the student or class: every exercise with parameters, its task with them in place,
/// and their values.
std::string variant_sheet(const std::vector<Topic>& topics, const Variant& variant);

/// HMAC-SHA256 as hexadecimal text.
std::string hmac_sha256(const std::string& key, const std::string& message);

}  // namespace grader
