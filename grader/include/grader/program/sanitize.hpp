// SPDX-License-Identifier: MIT
// Text from student code, made safe where it enters the grader.
#pragma once

#include <string>
#include <string_view>

namespace grader {

/// Text that came from student code, safe for terminals, CTest, reports and files: valid UTF-8
/// without control characters, escape sequences, characters that are invisible or turn the writing
/// direction, and brackets that open a tag of CTest. At most `lines` lines, the last ones, of at
/// most 600 characters; a first line says when some were left out.
std::string sanitize_output(std::string_view text, std::size_t lines = 12);

/// The same as one line of at most `most` characters, without its end.
std::string sanitize_line(std::string_view text, std::size_t most = 160);

}  // namespace grader
