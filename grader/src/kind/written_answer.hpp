// SPDX-License-Identifier: MIT
// What numbers, choices and predictions share: an answer in answers.toml.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grader/judge/number.hpp"
#include "grader/judge/session.hpp"
#include "grader/judge/verdict.hpp"
#include "roofline/units.hpp"

namespace grader {

/// @throws std::runtime_error if an exercise needs this machine's roofs and they have not been
/// measured.
void require_machine(const Session& session, const Exercise& exercise);

/// The verdict on an answer that cannot be judged; nothing if it can. `what` describes a missing
/// answer, such as "answer".
std::optional<Verdict> unreadable(const Exercise& exercise, const StudentAnswer& answer,
                                  const char* what = "answer");

/// The same for a number, which it reads into `value`, in base units.
std::optional<Verdict> unreadable_number(const Exercise& exercise, const StudentAnswer& answer,
                                         double& value, const char* what = "answer");

/// What a number looks like: its unit and tolerance.
std::string number_form(const Exercise& exercise);

/// A reference answer in base units; `unit` is the exercise's, for answers that name none.
double in_base_units(const ReferenceAnswer& answer, const std::string& unit);

/// The mistakes that an exercise lists, including those that solutions/NN/answers.cpp computes.
std::vector<KnownMistake> listed_mistakes(Session& session, const Exercise& exercise);

/// The dimension of an exercise's answer.
roofline::Dimension dimension_of(const Exercise& exercise);

/// The part of a verdict about the mistake that a value looks like; empty if there is none.
std::string mistake_in_words(const Exercise& exercise, const StudentAnswer& answer,
                             const Mistake& mistake);

}  // namespace grader
