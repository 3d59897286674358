// SPDX-License-Identifier: MIT
// Numbers of their own for every student, drawn from a secret that only the course knows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grader/exercise.hpp"

namespace grader {

/// Whose numbers, and which edition of them. Without a secret everyone has the canonical numbers.
struct Variant {
  std::string secret;
  std::string student;
  int version = 1;  ///< raised to give one student, or all, new numbers
};

/// The value of a parameter: one of its choices, by HMAC-SHA256(secret, student, exercise,
/// parameter, version). Independent between exercises and parameters, except that a parameter which
/// is the same as another exercise's is drawn as that one.
double value_of(const ExerciseParameter& parameter, const std::string& exercise,
                const Variant& variant);

/// The exercise's task with {name} replaced by the value of parameter `name`, or by the text that
/// the value stands for. Without a variant the parameters are those of the write-up.
std::string task_text(const Exercise& exercise, const Variant& variant = {});

/// The student's sheet: every exercise with parameters, its task with them in place, and their
/// values.
std::string variant_sheet(const std::vector<Topic>& topics, const Variant& variant);

/// HMAC-SHA256 as hexadecimal text.
std::string hmac_sha256(const std::string& key, const std::string& message);

}  // namespace grader
