// SPDX-License-Identifier: MIT
// Bytes of UTF-8.
#include "base/utf8.hpp"

#include <algorithm>
#include <array>

namespace base {

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {kInvalid, 1};
  char32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {kInvalid, 1};
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (is_overlong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {kInvalid, 1};
  return {code, length};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Character next = first_character(text);
    if (next.code == kInvalid) return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

std::string utf8_or_escaped(const std::string& text) {
  if (is_utf8(text)) return text;
  std::string escaped;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      escaped += c;
      continue;
    }
    constexpr const char* kDigits = "0123456789ABCDEF";
    escaped += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return escaped;
}

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  return text;
}

std::string replaced(std::string_view text,
                     std::span<const std::pair<std::string_view, std::string_view>> pairs) {
  std::string result;
  while (!text.empty()) {
    const auto found =
        std::ranges::find_if(pairs, [&](const auto& pair) { return text.starts_with(pair.first); });
    result += found == pairs.end() ? text.substr(0, 1) : found->second;
    text.remove_prefix(found == pairs.end() ? 1 : found->first.size());
  }
  return result;
}

std::string with_plain_blanks(std::string_view text) {
  constexpr std::array kBlanks = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"\t", " "}, {"\u00a0", " "}, {"\u2009", " "}, {"\u202f", " "}});
  return replaced(text, kBlanks);
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned>(c) & 0xC0U) != 0x80; }));
}

std::string_view first_characters(std::string_view text, std::size_t width) {
  std::size_t end = 0;
  while (end < text.size() && width_of(text.substr(0, end + 1)) <= width) ++end;
  return text.substr(0, end);
}

}  // namespace base
