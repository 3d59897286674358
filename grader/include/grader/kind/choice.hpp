// SPDX-License-Identifier: MIT
// Kind "choice": one of a few words in answers.toml.
#pragma once

#include <string>
#include <vector>

#include "grader/exercise/parameter.hpp"
#include "grader/kind/forward.hpp"

namespace grader {

struct ChoiceExercise {
  std::vector<std::string> choices;  ///< the words
  bool needs_machine = false;        ///< depends on this machine's measured roofs
  std::vector<ExerciseParameter> parameters;
};

extern const KindRules kChoiceRules;
Verdict grade_choice(Session& session, const Exercise& exercise);

}  // namespace grader
