// SPDX-License-Identifier: MIT
// What each student gained or lost between two runs, and why.
#pragma once

#include <string>
#include <vector>

#include "term/score.hpp"

namespace term {

struct Change {
  std::string student;
  std::string assignment;
  double before = 0;  ///< share of the points after penalties, 0 to 1; 0 if it does not count
  double after = 0;
  std::vector<std::string> reasons;  ///< never empty
};

/// Every assignment in which a student's share, an exercise's points, or whether it counts differs,
/// with each visible cause: exercises by name, late days, another submission, excuses, dropped
/// assignments. Students in only one of the runs have joined or left.
std::vector<Change> changes_between(const std::vector<Standing>& before,
                                    const std::vector<Standing>& after);

/// "ada, Topic 1: 52.1 % -> 60.4 %", and one line per reason, indented by two blanks.
std::string in_words(const Change& change);

/// All changes as CSV: id, assignment, before, after (percent), why.
std::string changes_csv(const std::vector<Change>& changes);

}  // namespace term
