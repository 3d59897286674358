// SPDX-License-Identifier: MIT
// Makes text from student code safe where it enters the grader.
#pragma once

#include <string>
#include <string_view>

namespace grader {

/// Text from student code, safe for terminals, CTest, reports and files: valid UTF-8 without
/// control characters, escape sequences, characters that are invisible or change the writing
/// direction, and brackets that open a tag of CTest. The last `lines` lines at most, of at most 600
/// characters each; if some were left out, a first line says so.
std::string sanitize_output(std::string_view text, std::size_t lines = 12);

/// The same as one line, cut after `most` characters.
std::string sanitize_line(std::string_view text, std::size_t most = 160);

}  // namespace grader
