// SPDX-License-Identifier: MIT
// Reference values and known mistakes of number exercises, in base units.
#pragma once

#include <string>
#include <vector>

#include "grader/number.hpp"
#include "grader/session.hpp"

namespace grader {

/// A reference answer in base units; `unit` is the exercise's, for answers that name none.
double in_base_units(const ReferenceAnswer& answer, const std::string& unit);

/// The mistakes that an exercise lists, those that solutions/NN/answers.cpp computes included.
std::vector<KnownMistake> listed_mistakes(Session& session, const Exercise& exercise);

/// Dimension of an exercise's unit.
roofline::Dimension dimension_of(const Exercise& exercise);

}  // namespace grader
