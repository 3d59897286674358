// SPDX-License-Identifier: MIT
// A kernel file that belongs to no exercise.
#pragma once

#include <filesystem>
#include <vector>

namespace cli {

/// What is wrong with a program that does not listen to the harness.
inline constexpr const char* kOwnMain =
    "Does it have a main() of its own? A file to profile ends in HARNESS_LAB(function, {...}) "
    "instead";

/// Compiles and links a file with kernels and a HARNESS_LAB as the build tree's package does with
/// checked ones, in `folder`, and returns the program.
/// @throws std::runtime_error with the compiler's first errors, or with what has to be built.
std::filesystem::path build_own_kernel(const std::filesystem::path& build,
                                       const std::filesystem::path& file,
                                       const std::filesystem::path& folder);

/// The file and the headers that lie beside it: what its report may list lines of.
std::vector<std::filesystem::path> files_beside(const std::filesystem::path& file);

}  // namespace cli
