// SPDX-License-Identifier: MIT
// One student's standing on one page.
#pragma once

#include <string>

#include "term/score.hpp"

namespace term {

/// One self-contained HTML page with the student's assignments, all points, decisions about the
/// student with their authors, and the course's rules. It contains nothing about others.
std::string student_page(const Policy& policy, const Standing& standing);

}  // namespace term
