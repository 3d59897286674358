// SPDX-License-Identifier: MIT
// Hints, one more at a time.
#pragma once

#include "course.hpp"

namespace cli {

/// Prints the previous hints and one more, and stores their number.
void give_hint(const Course& course, const grader::Exercise& exercise);

}  // namespace cli
