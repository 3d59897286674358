// SPDX-License-Identifier: MIT
// Explains compiler errors about a kernel launch or about counting numbers.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace grader {

/// One compiler error about `<<<...>>>` or about a launch with the wrong arguments, in a few lines
/// for the student; empty for any other error. `lines` are the error's, with its notes and with
/// paths below `root`. The parameters' names are read from the kernel's source there.
std::string launch_error_in_words(std::span<const std::string> lines,
                                  const std::filesystem::path& root);

/// True if GCC only repeats, for a whole call, that it could not read a part of it: the part has
/// its own error.
bool is_follow_up(std::span<const std::string> lines);

/// What to do if a kernel does not compile, or is not counted, with counting numbers.
inline constexpr const char* kTypeThatCounts =
    "  T also stands for a number that counts: write T where you wrote float or double.";

/// True for errors about counting numbers.
bool is_about_counting(const std::string& errors);

/// The error, with what to do about it if it is about counting numbers.
std::string counting_error_in_words(std::string error);

}  // namespace grader
