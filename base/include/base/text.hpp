// SPDX-License-Identifier: MIT
// Formatting, lines, lists, word wrap, trimming, natural order and edit distance.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace base {

/// The lines without their line ends; what follows the last line end is a line too, unless it is
/// empty.
std::vector<std::string> lines_of(std::string_view text);

/// The words of a container with a separator between them: "a, b, c".
template <class Words>
std::string joined(const Words& words, std::string_view separator = ", ") {
  std::string text;
  for (const auto& word : words) (text += text.empty() ? "" : separator) += word;
  return text;
}

/// printf() to a string.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

/// `text` broken between words into lines of at most `width` columns, each ended. The first begins
/// with `first`, all others with `margin`. A word that is longer than a line stays whole.
std::string wrap(std::string_view text, std::size_t width, std::string_view first,
                 std::string_view margin);

/// The same with one margin for all lines.
std::string wrap(std::string_view text, std::size_t width, std::string_view margin = {});

/// A shell command in lines of fewer than `width` columns, joined by backslashes. Lines break only
/// after commas and blanks. A continuation line starts at the margin, so a word can go on there.
std::string wrap_command(std::string_view command, std::size_t width);

/// Without the blanks, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);

/// ASCII upper case converted to lower case; other bytes stay as they are.
std::string lower_case(std::string_view text);

/// Alphabetical order in which "try 10" comes after "try 9".
bool natural_less(std::string_view a, std::string_view b);

/// The fewest insertions, deletions and substitutions that turn one text into the other
/// (Levenshtein distance).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace base
