// SPDX-License-Identifier: MIT
// The standings as tables for spreadsheets and learning platforms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "term/score.hpp"

namespace term {

/// One line a student: id, name, and for each assignment the points, of how many, days late and the
/// percentage after penalties; the total in percent. Fields of what is not collected are empty, and
/// "excused", "dropped" or "undecided" stand beside the percentage of what does not count.
std::string book_csv(const std::vector<Standing>& standings);

/// A table for a platform's importer.
struct PlatformTable {
  std::string text;
  std::vector<std::string> problems;  ///< what a person has to enter there by hand, and why
};

/// What Canvas's gradebook imports: Student, ID, SIS User ID, SIS Login ID, Section, and a column
/// of 100 points for each collected assignment, with EX for who is excused. The class list's
/// columns canvas-id, sis-id, login and section fill the first ones; nothing when it has neither
/// canvas-id nor sis-id. Who has neither of these nor a login is left out, since Canvas would go by
/// the name.
std::optional<PlatformTable> canvas_csv(const std::vector<Standing>& standings);

/// What Moodle's gradebook imports: ID number or Email address or both, and a percentage for each
/// collected assignment, nothing for who is excused. From the class list's columns moodle-id and
/// email; nothing when it has neither. A line without the field by which Moodle finds users would
/// get its grades to the student above it, so a column is there only if everybody has it; where
/// neither is complete, who lacks the fuller one is left out.
std::optional<PlatformTable> moodle_csv(const std::vector<Standing>& standings);

}  // namespace term
