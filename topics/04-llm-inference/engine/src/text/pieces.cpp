// SPDX-License-Identifier: MIT
// The expressions, matched by hand: std::regex supports neither Unicode classes nor look-ahead on
// them.
#include "engine/text/pieces.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

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

/// Bytes of the contraction at the start of the text; 0 if there is none.
/// @param any_case also match capital letters and, with them, U+017F, the long s
std::size_t contraction(std::string_view text, bool any_case) {
  constexpr std::array<std::string_view, 7> kEndings = {"'s", "'t",  "'re", "'ve",
                                                        "'m", "'ll", "'d"};
  const auto small = [any_case](char c) {
    return any_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  for (const std::string_view ending : kEndings) {
    if (text.size() >= ending.size() &&
        std::equal(ending.begin(), ending.end(), text.begin(),
                   [&](char should, char is) { return should == small(is); })) {
      return ending.size();
    }
  }
  constexpr std::string_view kLongS = "'\xC5\xBF";
  return any_case && text.starts_with(kLongS) ? kLongS.size() : 0;
}

/// Bytes of up to `most` characters of one kind at the start of the text.
std::size_t run(std::string_view text, Kind kind, std::size_t most = std::string_view::npos) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < most && at < text.size(); ++i) {
    const base::Character next = base::first_character(text.substr(at));
    if (kind_of(next.code) != kind) break;
    at += next.bytes;
  }
  return at;
}

/// Bytes of the white space at the start of the text, as one match of \s+(?!\S)|\s+: if something
/// else follows, the last space is left to it, unless it is the only one.
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

Kind first_kind(std::string_view text) {
  return kind_of(base::first_character(text).code);
}

bool is_line_end(char c) {
  return c == '\r' || c == '\n';
}

/// Bytes of the white space at the start of the text, up to its last line end, as one match of
/// \s*[\r\n]+; 0 if there is no line end.
std::size_t lines(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const base::Character next = base::first_character(text.substr(at));
    if (!is_space(next.code)) break;
    at += next.bytes;
    if (next.code == U'\r' || next.code == U'\n') end = at;
  }
  return end;
}

std::size_t first_piece_of_gpt2(std::string_view text) {
  if (const std::size_t bytes = contraction(text, false); bytes > 0) return bytes;
  const std::size_t blank = text.front() == ' ' ? 1 : 0;
  if (blank < text.size()) {
    const Kind kind = first_kind(text.substr(blank));
    if (kind != Kind::kSpace) return blank + run(text.substr(blank), kind);
  }
  return spaces(text);
}

/// For Llama 3 and Qwen 2, whose numbers have at most `digits` digits.
std::size_t first_piece_of_llama3(std::string_view text, std::size_t digits) {
  if (const std::size_t bytes = contraction(text, true); bytes > 0) return bytes;
  const Kind kind = first_kind(text);
  if (kind == Kind::kLetter) return run(text, kind);
  if (kind == Kind::kNumber) return run(text, kind, digits);
  // One character before a word belongs to it, whatever it is, except the end of a line.
  const std::size_t before = base::first_character(text).bytes;
  if (!is_line_end(text.front()) && before < text.size() &&
      first_kind(text.substr(before)) == Kind::kLetter) {
    return before + run(text.substr(before), Kind::kLetter);
  }
  const std::size_t blank = text.front() == ' ' ? 1 : 0;
  if (const std::size_t others = run(text.substr(blank), Kind::kOther); others > 0) {
    std::size_t end = blank + others;
    while (end < text.size() && is_line_end(text[end])) ++end;
    return end;
  }
  if (const std::size_t bytes = lines(text); bytes > 0) return bytes;
  return spaces(text);
}

}  // namespace

std::optional<Expression> expression_of(std::string_view regex) {
  if (regex ==
      "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+") {
    return Expression::kGpt2;
  }
  const auto newer = [](std::string_view number) {
    return "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|" + std::string(number) +
           "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
  };
  if (regex == newer("\\p{N}{1,3}")) return Expression::kLlama3;
  if (regex == newer("\\p{N}")) return Expression::kQwen2;
  return std::nullopt;
}

std::vector<std::string_view> split_digits(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const base::Character next = base::first_character(text.substr(at));
    if (is_number(next.code)) {
      if (at > begin) parts.push_back(text.substr(begin, at - begin));
      parts.push_back(text.substr(at, next.bytes));
      begin = at + next.bytes;
    }
    at += next.bytes;
  }
  if (begin < text.size()) parts.push_back(text.substr(begin));
  return parts;
}

std::vector<std::string_view> split_pieces(std::string_view text, Expression expression) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const std::size_t bytes =
        expression == Expression::kGpt2
            ? first_piece_of_gpt2(text)
            : first_piece_of_llama3(text, expression == Expression::kLlama3 ? 3 : 1);
    pieces.push_back(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return pieces;
}

}  // namespace engine
