// SPDX-License-Identifier: MIT
// What a compiler's complaint about the start of a kernel means, or about a number that counts.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace grader {

/// One error of a compiler about `<<<...>>>` or about a launch whose arguments do not match, in a
/// few lines for the student; empty for any other error. `lines` are the error's, its notes
/// included, with paths below `root`, where the kernel's source is read for the parameters' names.
std::string launch_error_in_words(std::span<const std::string> lines,
                                  const std::filesystem::path& root);

/// True where GCC only repeats, about a whole call, that it could not read a part of it: the part
/// has an error of its own.
bool is_follow_up(std::span<const std::string> lines);

/// What to do where a kernel does not compile, or is not counted, with numbers that count.
inline constexpr const char* kTypeThatCounts =
    "  T also stands for a number that counts: write T where you wrote float or double.";

/// True of errors that the compiler has with numbers that count.
bool is_about_counting(const std::string& errors);

/// The error with what to do about it, where it is about numbers that count.
std::string counting_error_in_words(std::string error);

}  // namespace grader
