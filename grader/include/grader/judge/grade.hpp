// SPDX-License-Identifier: MIT
// Judging one exercise, whichever kind it is, and verdicts that several kinds give.
#pragma once

#include <optional>

#include "grader/judge/session.hpp"
#include "grader/judge/verdict.hpp"

namespace grader {

/// Judges one exercise. Never throws for what a student did: a crash, hang or wrong answer is a
/// verdict. A mistake of the course itself (a reference that fails) is Status::kError.
Verdict grade(Session& session, const Exercise& exercise);

/// The verdict on a program that cannot be judged, by what it says of itself: one without the
/// exercise's lab has failed; without a device on this machine the exercise is skipped. That a
/// student's program sees no device is believed only where the reference sees none either.
std::optional<Verdict> not_to_be_judged(Session& session, const Exercise& exercise,
                                        const Hello& hello);

/// The verdict, which counts for nothing, on what cannot be judged without the solutions.
Verdict only_with_solutions(const Exercise& exercise);

}  // namespace grader
