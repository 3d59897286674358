// SPDX-License-Identifier: MIT
// The course's own programs that are needed to judge an exercise: built on first use, and again
// after an update of the course.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "course.hpp"

namespace cli {

/// A program of the course and its build target.
struct NeededProgram {
  std::string target;
  std::filesystem::path file;
};

/// The programs of an exercise that must be built: those that are missing, or that were not rebuilt
/// since ./lab built the course from another commit.
std::vector<NeededProgram> missing_programs(const Course& course, const grader::Exercise& exercise);

/// Builds them. @throws std::runtime_error with the compiler's output.
void build_missing(const Course& course, const grader::Exercise& exercise,
                   const std::function<void()>& when_waiting);

}  // namespace cli
