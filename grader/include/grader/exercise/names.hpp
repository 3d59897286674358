// SPDX-License-Identifier: MIT
// Exercises by the names that people type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grader/exercise/exercise.hpp"

namespace grader {

/// "no exercise is called 03.sweep.predict; did you mean 03.sweep.prediction?" `where` says how to
/// list all names; it may be empty.
std::string unknown_exercise(const std::vector<std::string>& ids, std::string_view typed,
                             std::string_view where = {});

/// Refuses names that is_chosen() matches with no exercise: what nobody asked for must not pass for
/// what somebody did. @throws std::runtime_error that lists them, one a line.
void require_exercises(const std::vector<Topic>& topics, const std::vector<std::string>& chosen);

}  // namespace grader
