// SPDX-License-Identifier: MIT
// Source text as a compiler sees it: without comments, layout and what #if 0 leaves out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grader {

struct Token {
  enum class Kind { kWord, kNumber, kText, kSign };
  Kind kind;
  std::string text;  ///< one character of a sign; of a text only its quote
};

/// Tokens of C++: digit separators, raw strings, spliced lines and groups that a condition of 0
/// leaves out, as in the standard. A text that is not closed ends with its line.
std::vector<Token> cpp_tokens(std::string_view source);

/// Tokens of TOML, for answers.
std::vector<Token> toml_tokens(std::string_view source);

}  // namespace grader
