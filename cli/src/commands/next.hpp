// SPDX-License-Identifier: MIT
// Presents one exercise, for next and watch.
#pragma once

#include "course.hpp"

namespace cli {

/// Prints id, title, task, where to edit, where to read, how to check.
void present(const Course& course, const grader::Exercise& exercise);

}  // namespace cli
