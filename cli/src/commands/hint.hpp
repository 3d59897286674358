// SPDX-License-Identifier: MIT
// Hints, one more at a time.
#pragma once

#include "course.hpp"

namespace cli {

/// Prints the hints that were given before and one more, and remembers how many.
void give_hint(const Course& course, const grader::Exercise& exercise);

}  // namespace cli
