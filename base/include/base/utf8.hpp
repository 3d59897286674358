// SPDX-License-Identifier: MIT
// UTF-8: characters of a text, and whether it is well-formed.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace base {

/// A character of a text: its code point, and its bytes.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

/// The code of a byte that is not valid UTF-8.
inline constexpr char32_t kInvalid = 0xFFFFFFFF;

/// The first character of `text`, which must not be empty; kInvalid and one byte if it is not
/// well-formed.
Character first_character(std::string_view text);

/// True for well-formed UTF-8.
bool is_utf8(std::string_view text);
/// The text, with every byte beyond ASCII as %XX if it is not UTF-8.
std::string utf8_or_escaped(const std::string& text);
/// The text without the byte order mark that some editors add.
std::string_view without_byte_order_mark(std::string_view text);
/// The text with the second of a pair in place of each occurrence of the first. Where several pairs
/// begin at one place, the first of them counts.
std::string replaced(std::string_view text,
                     std::span<const std::pair<std::string_view, std::string_view>> pairs);
/// The text with a blank in place of each tab and each no-break or thin space (U+00A0, U+2009,
/// U+202F), which typeset pages and word processors put between a number and its unit.
std::string with_plain_blanks(std::string_view text);
/// The number of characters: the columns that the text takes in a terminal, unless some are wide or
/// combining.
std::size_t width_of(std::string_view text);
/// The text's first `width` characters; never half a character.
std::string_view first_characters(std::string_view text, std::size_t width);

}  // namespace base
