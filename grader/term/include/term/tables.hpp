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
/// "excused" or "dropped" stand beside the percentage of what does not count.
std::string book_csv(const std::vector<Standing>& standings);

/// What Canvas's gradebook imports: Student, ID, SIS User ID, SIS Login ID, Section, and a column
/// of 100 points for each collected assignment. The class list's columns canvas-id, sis-id, login
/// and section fill the first ones; nothing when it has neither canvas-id nor sis-id.
std::optional<std::string> canvas_csv(const std::vector<Standing>& standings);

/// What Moodle's gradebook imports: ID number, Email address, and a percentage for each collected
/// assignment. From the class list's columns moodle-id and email; nothing when it has neither.
std::optional<std::string> moodle_csv(const std::vector<Standing>& standings);

}  // namespace term
