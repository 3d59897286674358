// SPDX-License-Identifier: MIT
// Judging one exercise: the entry point, and one function per kind.
#pragma once

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
Verdict grade_speed(Session& session, const Exercise& exercise);
Verdict grade_measurement(Session& session, const Exercise& exercise);
/// Share of the points that a prediction earns: all within rtol, then less and less, smoothly in
/// the logarithm of the factor between the two, and nothing from a factor of two on.
double prediction_share(double predicted, double measured, double rtol);
Verdict grade_prediction(Session& session, const Exercise& exercise);

/// What a kernel that is to be timed on `problem` does other than the reference, by the exercise's
/// counters: a result can be right without the work. Empty when nothing is off, when the exercise
/// names no counters, and on a GPU, where nothing can be counted.
std::string work_left_out(Session& session, const Exercise& exercise, const Problem& problem);

/// Speed in a repository without solutions: against the measured roof only.
Verdict grade_speed_by_roof(Session& session, const Exercise& exercise);
/// The verdict, which counts for nothing, on what cannot be judged without the solutions.
Verdict only_with_solutions(const Exercise& exercise);

}  // namespace grader
