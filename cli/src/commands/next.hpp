// SPDX-License-Identifier: MIT
// One exercise, as next and watch present it.
#pragma once

#include "course.hpp"

namespace cli {

/// Prints id, title, task, where to edit, where to read, how to check.
void present(const Course& course, const grader::Exercise& exercise);

}  // namespace cli
