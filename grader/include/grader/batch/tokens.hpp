// SPDX-License-Identifier: MIT
// Source text as a compiler sees it: without comments, layout and `#if 0` blocks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace grader {

struct Token {
  enum class Kind { kWord, kNumber, kText, kSign };
  Kind kind;
  std::string text;  ///< one character of punctuation; only the quote of a string
};

/// Tokens of C++: digit separators, raw strings, spliced lines and blocks excluded by `#if 0` are
/// treated as in the standard. An unclosed string ends with its line.
std::vector<Token> cpp_tokens(std::string_view source);

/// Tokens of TOML, for answers.
std::vector<Token> toml_tokens(std::string_view source);

}  // namespace grader
