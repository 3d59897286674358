// SPDX-License-Identifier: MIT
// Judging several exercises one after another, as `./lab check` and `grader grade` do.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "grader/judge/session.hpp"
#include "grader/report/report.hpp"

namespace grader {

/// Callbacks while exercises are judged; either may be left out.
struct JudgeListener {
  std::function<void(const Exercise&)> before;
  /// Gets the results so far; the last verdict is the new one.
  std::function<void(const Results&)> after;
};

/// Results of a session that has judged nothing yet.
Results begun(const Session& session);

/// Judges exercises in order. @throws what a callback throws; never because of a student's work.
Results judge_all(Session& session, const std::vector<const Exercise*>& exercises,
                  const JudgeListener& listener);

/// Writes the last verdict to folder/ID.json, as `grader report --table` reads it.
void store_last(const Results& results, const std::filesystem::path& folder);

}  // namespace grader
