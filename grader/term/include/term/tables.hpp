// SPDX-License-Identifier: MIT
// The standings as tables for spreadsheets and learning platforms.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "term/score.hpp"

namespace term {

/// One line per student: id, name; for each assignment the points, the maximum, days late and the
/// percentage after penalties; and the total in percent. Fields of uncollected assignments are
/// empty; an assignment that does not count has "excused", "dropped" or "undecided" next to its
/// percentage.
std::string book_csv(const std::vector<Standing>& standings);

/// A table for a platform's importer.
struct PlatformTable {
  std::string text;
  std::vector<std::string> problems;  ///< what a person has to enter there manually, and why
};

/// The format that Canvas's gradebook imports: Student, ID, SIS User ID, SIS Login ID, Section, and
/// a column of 100 points for each collected assignment, with EX for excused students. The first
/// columns come from the class list's canvas-id, sis-id, login and section; nothing if the list has
/// neither canvas-id nor sis-id. A student with none of these nor a login is left out, because
/// Canvas would match by name.
std::optional<PlatformTable> canvas_csv(const std::vector<Standing>& standings);

/// The format that Moodle's gradebook imports: ID number, Email address or both, and a percentage
/// for each collected assignment, empty for excused students. They come from the class list's
/// columns moodle-id and email; nothing if it has neither. Moodle would give the grades of a line
/// without the identifying field to the student above it, so a column is used only if it is
/// complete. If neither is, the fuller one is used and students without it are left out.
std::optional<PlatformTable> moodle_csv(const std::vector<Standing>& standings);

}  // namespace term
