// SPDX-License-Identifier: MIT
// Building a student's program just before it is judged, so that the verdict is on the saved files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace grader {

/// Builds targets of a build tree. Builds of the same tree wait for one another, also across
/// processes, and for cli/build.sh, which takes the same lock; `when_waiting` is called before such
/// a wait. Returns an empty text on success, else the first compiler errors: those in the student's
/// own files (paths with /topics/) before all others, with paths relative to `root`.
/// @throws std::runtime_error when the build tool cannot be started.
std::string build_targets(const std::filesystem::path& build,
                          const std::vector<std::string>& targets,
                          const std::filesystem::path& root,
                          const std::function<void()>& when_waiting = {});

/// The same selection from a build tool's output: the pure text part of build_targets().
std::string first_errors(const std::string& output, const std::filesystem::path& root);

}  // namespace grader
