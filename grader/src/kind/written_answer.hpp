// SPDX-License-Identifier: MIT
// What numbers, choices and predictions have in common: an answer in answers.toml.
#pragma once

#include <optional>

#include "grader/judge/session.hpp"
#include "grader/judge/verdict.hpp"

namespace grader {

/// @throws std::runtime_error when an exercise needs this machine's roofs and they are not
/// measured.
void require_machine(const Session& session, const Exercise& exercise);

/// The verdict on an answer that cannot be judged; nothing if it can. `what` names what is missing
/// when it is empty, such as "answer".
std::optional<Verdict> unreadable(const Exercise& exercise, const StudentAnswer& answer,
                                  const char* what = "answer");

}  // namespace grader
