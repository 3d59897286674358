// SPDX-License-Identifier: MIT
// A kernel file that belongs to no exercise.
#pragma once

#include <filesystem>
#include <vector>

namespace cli {

/// The message about a program that has its own main().
inline constexpr const char* kOwnMain =
    "Does it have a main() of its own? A file to profile ends in HARNESS_LAB(function, {...}) "
    "instead";

/// Compiles and links a file with kernels and a HARNESS_LAB like the build tree's checked programs,
/// in `folder`, and returns the program.
/// @throws std::runtime_error with the compiler's first errors, or saying what to build first.
std::filesystem::path build_own_kernel(const std::filesystem::path& build,
                                       const std::filesystem::path& file,
                                       const std::filesystem::path& folder);

/// The file and the headers next to it: its report may list lines of these.
std::vector<std::filesystem::path> files_beside(const std::filesystem::path& file);

}  // namespace cli
