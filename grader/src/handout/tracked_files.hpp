// SPDX-License-Identifier: MIT
// Which files of a checkout belong to the course: those that git tracks.
#pragma once

#include <filesystem>
#include <optional>
#include <set>

namespace grader {

/// Paths relative to the folder.
struct TrackedFiles {
  std::set<std::filesystem::path> tracked;
  std::set<std::filesystem::path> untracked;  ///< without those that .gitignore matches
};

/// Empty if git is missing or tracks nothing in the folder.
std::optional<TrackedFiles> tracked_files(const std::filesystem::path& root);

}  // namespace grader
