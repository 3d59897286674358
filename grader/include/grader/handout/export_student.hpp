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

/// A summary of an export.
struct ExportSummary {
  std::size_t files = 0;
  std::size_t sealed = 0;     ///< numbers, choices and counts
  std::size_t drawn = 0;      ///< exercises that ask for other numbers than the write-ups work out
  std::size_t functions = 0;  ///< with stored cases
  bool is_checkout = false;   ///< git decided which files belong to the course
  std::vector<std::string>
      unchecked;  ///< ids that only the course's own grading can judge, and why
};

/// Writes the course of `session` to the folder `out`, which must be empty or absent. What is in
/// it is listed in docs/adr/0007; nothing of solutions/, tests/, docs/values or docs/figures is,
/// nor the secret of the session's variant, whose numbers the exercises ask for and the seals
/// answer. In a git checkout only tracked files are copied, and untracked ones among them are
/// refused by name; elsewhere everything in the course's folders is.
/// @throws std::runtime_error when something cannot be read, sealed or written.
ExportSummary export_student(Session& session, const std::filesystem::path& out);

/// The sealed answer of a number or choice that does not depend on the machine.
Seal seal_answer(Session& session, const Exercise& exercise, int iterations);

/// True when the variant has a number of the exercise that is not the canonical one.
bool has_other_numbers(const Exercise& exercise, const Variant& variant);

/// True when seal_answer() can seal it.
bool can_be_sealed(const Exercise& exercise);

}  // namespace grader
