// SPDX-License-Identifier: MIT
// Every combination of parameters that some student may draw.
#pragma once

#include <vector>

#include "grader/exercise/exercise.hpp"

/// The exercise with each combination of its parameters' choices as canonical values.
inline std::vector<grader::Exercise> variants_of(const grader::Exercise& exercise) {
  std::vector<grader::Exercise> variants = {exercise};
  for (std::size_t p = 0; p < exercise.parameters().size(); ++p) {
    const grader::ExerciseParameter& parameter = exercise.parameters()[p];
    std::vector<double> values = parameter.choices;
    if (values.empty()) values = {parameter.canonical};
    std::vector<grader::Exercise> more;
    for (const grader::Exercise& variant : variants) {
      for (const double value : values) {
        more.push_back(variant);
        grader::ExerciseParameter& drawn = more.back().drawn_parameters()->at(p);
        drawn.canonical = value;
        drawn.choices.clear();
      }
    }
    variants = std::move(more);
  }
  return variants;
}
