// SPDX-License-Identifier: MIT
// Turns the handout of a class into one for each student: small archives to unpack over it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "grader/batch/gradebook.hpp"
#include "grader/judge/session.hpp"

namespace grader {

/// What was written.
struct StudentHandouts {
  std::size_t students = 0;
  std::size_t sealed = 0;    ///< answers; students with the same numbers share one
  std::uintmax_t bytes = 0;  ///< of all archives
};

/// Writes out/ID.zip for every student: numbers.txt (the sheet), and for every topic answers.toml
/// and exercises.toml with the student's numbers, and .course/answers.json with the sealed answers.
/// Unpacked over a handout of the same checkout, the archive makes it ask and judge as `grader
/// batch` does with the same secret. `workspace` is the course; its variant has the secret, and the
/// edition for students who have none of their own.
///
/// The folder appears only when all of it is written: `out` must be empty or absent.
/// @throws std::runtime_error when there are no students, when two ids would be the same file on
/// some system, or when something cannot be sealed or written; `out` is then unchanged.
StudentHandouts write_student_handouts(const Workspace& workspace,
                                       const std::vector<Student>& students,
                                       const std::filesystem::path& out);

}  // namespace grader
