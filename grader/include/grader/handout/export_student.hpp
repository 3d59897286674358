// SPDX-License-Identifier: MIT
// Writes the repository that a class receives: the course without its solutions.
#pragma once

#include <filesystem>
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
  std::size_t sealed = 0;  ///< numbers, choices and counts
  std::size_t drawn = 0;  ///< exercises whose numbers differ from those that the write-ups work out
  std::size_t functions = 0;  ///< with stored cases
  std::vector<std::string>
      unchecked;  ///< ids that only the course's own grading can judge, and why
};

/// Writes the course of `session` to the folder `out`, which must be empty or absent. docs/adr/0007
/// lists its content; nothing of solutions/, tests/, docs/values or docs/figures is in it, nor the
/// secret of the session's variant. The exercises ask for the variant's numbers, and the seals hold
/// their answers.
/// @throws std::runtime_error when something cannot be read, sealed or written, and with
/// CourseFiles::kTracked if git tracks nothing, or not every file in those folders; the message
/// names these files.
ExportSummary export_student(Session& session, const std::filesystem::path& out, CourseFiles files);

/// The sealed answer of a number or choice that does not depend on the machine.
Seal seal_answer(Session& session, const Exercise& exercise, int iterations);

/// True when the variant has a non-canonical number for the exercise.
bool has_other_numbers(const Exercise& exercise, const Variant& variant);

/// True when seal_answer() can seal it.
bool can_be_sealed(const Exercise& exercise);

}  // namespace grader
