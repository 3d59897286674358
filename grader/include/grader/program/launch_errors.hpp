// SPDX-License-Identifier: MIT
// What a compiler's complaint about the start of a kernel means.
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

}  // namespace grader
