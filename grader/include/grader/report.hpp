// SPDX-License-Identifier: MIT
// One result model, many formats.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "grader/verdict.hpp"

namespace grader {

/// The verdicts of one student's run, in the order of the exercises.
struct Results {
  std::string student;  ///< id, empty in student mode
  std::string backend;
  std::string machine;   ///< name of the device that ran the kernels, when known
  std::string time;      ///< UTC, ISO 8601
  bool complete = true;  ///< false while exercises are still being judged
  std::vector<Verdict> verdicts;

  double points() const;
  /// Points that could be earned: exercises that are not counted are left out.
  double max_points() const;
};

/// A terminal's verdict on one exercise, at most 80 columns wide.
std::string terminal_verdict(const Verdict& verdict, bool colour);

/// The table of all scores, at most 80 columns wide, with the sum in its last line.
std::string terminal_table(const Results& results, bool colour);

/// JSON, described by grader/schema/results.schema.json.
std::string results_json(const Results& results);
/// The reverse. @throws std::runtime_error for what is no results JSON.
Results parse_results(const std::string& json);

/// Reads and joins every ID.json of a folder (what CTest's grading tests wrote), sorted by id.
Results read_results(const std::filesystem::path& folder);

}  // namespace grader
