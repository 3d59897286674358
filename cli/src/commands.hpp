// SPDX-License-Identifier: MIT
// What the student can ask for, one function a command. Each returns the exit status.
#pragma once

#include <string>
#include <vector>

#include "course.hpp"

namespace cli {

/// Measures this machine's roofs unless that was done, shows them, and then the first exercise.
int start(const Course& course, bool measure_again);

/// The first exercise that does not have all its points: file, task, command.
int next(const Course& course);

/// Builds and grades the exercises with these ids or prefixes; all of them when there are none.
int check(const Course& course, const std::vector<std::string>& prefixes);

/// Every exercise with its points.
int list(const Course& course);

/// One more hint each time; they are counted in .lab/hints.json.
int hint(const Course& course, const std::string& id);

}  // namespace cli
