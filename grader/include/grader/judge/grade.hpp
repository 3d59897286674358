// SPDX-License-Identifier: MIT
// Judging one exercise of any kind, and verdicts that several kinds give.
#pragma once

#include <optional>

#include "grader/judge/session.hpp"
#include "grader/judge/verdict.hpp"

namespace grader {

/// Judges one exercise. Never throws for what a student did: a crash, hang or wrong answer is a
/// verdict. A mistake of the course itself (a reference that fails) is Status::kError.
Verdict grade(Session& session, const Exercise& exercise);

/// The verdict on a program that cannot be judged, based on what it says about itself: without the
/// exercise's lab it has failed; if this machine lacks the device, the exercise is skipped. A
/// student's program that sees no device is believed only if the reference sees none either.
std::optional<Verdict> not_to_be_judged(Session& session, const Exercise& exercise,
                                        const Hello& hello);

/// The uncounted verdict on an exercise that cannot be judged without the solutions.
Verdict only_with_solutions(const Exercise& exercise);

}  // namespace grader
