// SPDX-License-Identifier: MIT
// GPT-2's expression by hand: std::regex knows no classes of Unicode and no look-ahead on them.
#include "engine/text/pieces.hpp"

#include <array>
#include <cstddef>

#include "base/utf8.hpp"
#include "engine/text/characters.hpp"

namespace engine {
namespace {

enum class Kind { kLetter, kNumber, kSpace, kOther };

Kind kind_of(char32_t code) {
  if (is_letter(code)) return Kind::kLetter;
  if (is_number(code)) return Kind::kNumber;
  return is_space(code) ? Kind::kSpace : Kind::kOther;
}

/// Bytes of the contraction that the text begins with; 0 without one. Capital letters are none.
std::size_t contraction(std::string_view text) {
  constexpr std::array<std::string_view, 7> kEndings = {"'s", "'t",  "'re", "'ve",
                                                        "'m", "'ll", "'d"};
  for (const std::string_view ending : kEndings) {
    if (text.starts_with(ending)) return ending.size();
  }
  return 0;
}

/// Bytes of the characters of one kind that the text begins with.
std::size_t run(std::string_view text, Kind kind) {
  std::size_t at = 0;
  while (at < text.size()) {
    const base::Character next = base::first_character(text.substr(at));
    if (kind_of(next.code) != kind) break;
    at += next.bytes;
  }
  return at;
}

/// Bytes of the white space that the text begins with, as one match of \s+(?!\S)|\s+: a last space
/// before something else is left to that, unless it is the only one.
std::size_t spaces(std::string_view text) {
  std::size_t at = 0;
  std::size_t last = 0;
  while (at < text.size()) {
    const base::Character next = base::first_character(text.substr(at));
    if (!is_space(next.code)) return last > 0 ? last : at;
    last = at;
    at += next.bytes;
  }
  return at;
}

std::size_t first_piece(std::string_view text) {
  if (const std::size_t bytes = contraction(text); bytes > 0) return bytes;
  const std::size_t blank = text.front() == ' ' ? 1 : 0;
  if (blank < text.size()) {
    const Kind kind = kind_of(base::first_character(text.substr(blank)).code);
    if (kind != Kind::kSpace) return blank + run(text.substr(blank), kind);
  }
  return spaces(text);
}

}  // namespace

std::vector<std::string_view> split_pieces(std::string_view text) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t bytes = first_piece(text);
    pieces.push_back(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return pieces;
}

}  // namespace engine
