// SPDX-License-Identifier: MIT
// Kind "number": a value with a unit in answers.toml, compared with the solutions' value.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grader/exercise/parameter.hpp"
#include "grader/kind/forward.hpp"

namespace grader {

/// For a number that builds on the student's own earlier number: a value that is right only as a
/// consequence of that number earns part of the points. solutions/NN/answers.cpp computes it as
/// ID/carried from the parameter "carried", the earlier number in base units.
struct CarriedForward {
  std::string from;  ///< id of the earlier exercise, a number of the same topic
  double credit = 0.5;
  std::shared_ptr<const Exercise> earlier;  ///< the same, once the topic has been read
};

/// What exercises.toml says about a number besides what every exercise has.
struct NumberExercise {
  std::string unit;            ///< empty for a plain number
  bool needs_machine = false;  ///< depends on this machine's measured roofs
  std::vector<ExerciseParameter> parameters;
  std::optional<CarriedForward> carried;
};

extern const KindRules kNumberRules;
Verdict grade_number(Session& session, const Exercise& exercise);

}  // namespace grader
