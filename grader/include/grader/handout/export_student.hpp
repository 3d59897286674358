// SPDX-License-Identifier: MIT
// Writes the repository that a class hands out: the course without its solutions.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grader/exercise/exercise.hpp"
#include "grader/handout/seal.hpp"
#include "grader/judge/session.hpp"

namespace grader {

/// Which files in the course's folders belong to the course: those that git tracks, or all.
enum class CourseFiles { kTracked, kAll };

/// A summary of an export.
struct ExportSummary {
  std::size_t files = 0;
  std::size_t sealed = 0;     ///< numbers, choices and counts
  std::size_t drawn = 0;      ///< exercises that ask for other numbers than the write-ups work out
  std::size_t functions = 0;  ///< with stored cases
  std::vector<std::string>
      unchecked;  ///< ids that only the course's own grading can judge, and why
};

/// Writes the course of `session` to the folder `out`, which must be empty or absent. What is in
/// it is listed in docs/adr/0007; nothing of solutions/, tests/, docs/values or docs/figures is,
/// nor the secret of the session's variant, whose numbers the exercises ask for and the seals
/// answer. @throws std::runtime_error when something cannot be read, sealed or written, and with
/// CourseFiles::kTracked where git tracks nothing, or not every file in those folders: those are
/// named.
ExportSummary export_student(Session& session, const std::filesystem::path& out, CourseFiles files);

/// The sealed answer of a number or choice that does not depend on the machine.
Seal seal_answer(Session& session, const Exercise& exercise, int iterations);

/// True when the variant has a number of the exercise that is not the canonical one.
bool has_other_numbers(const Exercise& exercise, const Variant& variant);

/// True when seal_answer() can seal it.
bool can_be_sealed(const Exercise& exercise);

}  // namespace grader
