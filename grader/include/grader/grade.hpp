// SPDX-License-Identifier: MIT
// Judging one exercise: the entry point, and one function per kind.
#pragma once

#include <optional>

#include "grader/session.hpp"
#include "grader/verdict.hpp"

namespace grader {

/// Judges one exercise. Never throws for what a student did: a crash, hang or wrong answer is a
/// verdict. A mistake of the course itself (a reference that fails) is Status::kError.
Verdict grade(Session& session, const Exercise& exercise);

/// The kinds. They may throw ChildFailure, which grade() turns into a verdict.
Verdict grade_number(Session& session, const Exercise& exercise);
Verdict grade_choice(Session& session, const Exercise& exercise);
Verdict grade_function(Session& session, const Exercise& exercise);
Verdict grade_counted(Session& session, const Exercise& exercise);
Verdict grade_kernel(Session& session, const Exercise& exercise);
/// A race that gives points.
Verdict grade_speed(Session& session, const Exercise& exercise);
/// A short look at the same, where speed gives no points.
Verdict show_speed(Session& session, const Exercise& exercise);
Verdict grade_measurement(Session& session, const Exercise& exercise);
/// Share of the points that a prediction earns: all within rtol, then less and less, smoothly in
/// the logarithm of the factor between the two, and nothing from a factor of two on.
double prediction_share(double predicted, double measured, double rtol);
Verdict grade_prediction(Session& session, const Exercise& exercise);

/// The verdict on a program that cannot be judged, by what it says of itself: one without the
/// exercise's lab has failed; without a device on this machine the exercise is skipped. That a
/// student's program sees no device is believed only where the reference sees none either.
std::optional<Verdict> not_to_be_judged(Session& session, const Exercise& exercise,
                                        const Hello& hello);

/// Speed in a repository without solutions: against the measured roof only.
Verdict grade_speed_by_roof(Session& session, const Exercise& exercise);
/// The verdict, which counts for nothing, on what cannot be judged without the solutions.
Verdict only_with_solutions(const Exercise& exercise);

}  // namespace grader
