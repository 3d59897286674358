// SPDX-License-Identifier: MIT
// What a compiler read, where no sandbox decides what it can read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace grader {

/// The files that a rule in the language of make depends on, as compilers (-M) and the GNU
/// assembler (--MD) write it.
std::vector<std::string> prerequisites_of(std::string_view rule);

/// The files that a compiler names with -H, among its other output: dots as deep as the include,
/// and a path.
std::vector<std::string> headers_named_in(std::string_view output);

/// The files that errors of a compiler or an assembler are about: "FILE:LINE: ..." and "FILE:
/// Assembler messages:". A \#line directive can name any file there, whose line is then shown.
std::vector<std::string> files_of_errors(std::string_view output);

/// The first of the files that is outside all `allowed` folders, including through `..` or a link.
/// Relative paths start at `folder`. Empty if every file is in one of them.
std::string first_file_outside(const std::vector<std::string>& files,
                               const std::filesystem::path& folder,
                               const std::vector<std::filesystem::path>& allowed);

}  // namespace grader
