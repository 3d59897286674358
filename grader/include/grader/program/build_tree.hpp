// SPDX-License-Identifier: MIT
// What CMake records about a build tree.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grader {

/// A folder as CMake writes it in its commands, however a user spells it: absolute, without "." or
/// a trailing slash.
std::filesystem::path full_path(const std::filesystem::path& folder);

/// An entry of CMakeCache.txt, such as "CMAKE_MAKE_PROGRAM"; empty when there is none.
std::string cache_entry(const std::filesystem::path& build, const std::string& name);

/// The backend that a build tree's programs are built for: "cpu", "cuda" or "hip".
std::string backend_of(const std::filesystem::path& build);

/// The checkout that a build tree was configured for. @throws std::runtime_error for any other
/// folder.
std::filesystem::path source_of_build(const std::filesystem::path& build);

/// Folders in the recipes of the tree's submissions that are neither the system's (/usr and the
/// like) nor in the checkout or the tree: a compiler under /opt, libraries of another prefix. For a
/// file in a folder bin it is that folder's parent. Top-level folders, and those that contain the
/// home folder, the checkout or the tree, are left out: they would expose too much.
std::vector<std::filesystem::path> folders_outside(const std::filesystem::path& build);

}  // namespace grader
