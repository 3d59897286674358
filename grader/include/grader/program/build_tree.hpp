// SPDX-License-Identifier: MIT
// What CMake has written down about a build tree.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace grader {

/// A folder as CMake writes it into its commands, whichever way a user names it: absolute, without
/// "." or a slash at the end.
std::filesystem::path full_path(const std::filesystem::path& folder);

/// An entry of CMakeCache.txt, such as "CMAKE_MAKE_PROGRAM"; empty when there is none.
std::string cache_entry(const std::filesystem::path& build, const std::string& name);

/// "cpu", "cuda" or "hip": what the programs of a build tree are built for.
std::string backend_of(const std::filesystem::path& build);

/// The checkout that a build tree was configured for. @throws std::runtime_error for other folders.
std::filesystem::path source_of_build(const std::filesystem::path& build);

/// Folders that the recipes of the tree's submissions name and that are neither the system's (/usr
/// and the like) nor in the checkout or the tree: a compiler under /opt, libraries of another
/// prefix. A file in a folder bin stands for that folder's parent. Folders of the first level, and
/// those that hold the home folder, the checkout or the tree, are left out: they would show too
/// much.
std::vector<std::filesystem::path> folders_outside(const std::filesystem::path& build);

}  // namespace grader
