// SPDX-License-Identifier: MIT
// Answers that are missing or cannot be read.
#include "kind/written_answer.hpp"

#include <stdexcept>

namespace grader {

void require_machine(const Session& session, const Exercise& exercise) {
  if (!exercise.needs_machine() || session.machine()) return;
  throw std::runtime_error("this machine has not been measured yet; run: ./lab start");
}

std::optional<Verdict> unreadable(const Exercise& exercise, const StudentAnswer& answer,
                                  const char* what) {
  if (!answer.problem.empty()) return verdict_for(exercise, Status::kFailed, answer.problem);
  if (!answer.text.empty()) return std::nullopt;
  return verdict_for(
      exercise, Status::kUnsolved,
      std::string("unsolved: no ") + what + " yet in topics/" + exercise.topic + "/answers.toml");
}

}  // namespace grader
