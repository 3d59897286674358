// SPDX-License-Identifier: MIT
// Keeps the characters of a text that are safe to show.
#include "grader/program/sanitize.hpp"

#include <strings.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/utf8.hpp"

namespace grader {
namespace {

constexpr std::size_t kMostOfLine = 600;

/// Neither a control character nor one that is invisible or changes how others are displayed.
bool can_be_shown(char32_t code) {
  constexpr std::pair<char32_t, char32_t> kHidden[] = {{0x00, 0x1F},     {0x7F, 0x9F},
                                                       {0xAD, 0xAD},     {0x061C, 0x061C},
                                                       {0x115F, 0x1160}, {0x180B, 0x180F},
                                                       {0x200B, 0x200F}, {0x2028, 0x202E},
                                                       {0x2060, 0x206F}, {0xE000, 0xF8FF},
                                                       {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF},
                                                       {0xFFF0, 0xFFFF}, {0xE0000, base::kInvalid}};
  return std::ranges::none_of(
      kHidden, [&](const auto& range) { return range.first <= code && code <= range.second; });
}

/// Length of the escape sequence (ESC [ ... letter) that `text` begins with; 0 if there is none.
std::size_t escape_sequence(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  std::size_t end = 2;
  while (end < text.size() && text[end] >= ' ' && text[end] <= '?') ++end;
  return std::min(end + 1, text.size());
}

/// CTest reads measurements and details from tags in a test's output.
bool opens_ctest_tag(std::string_view text) {
  if (!text.starts_with('<')) return false;
  text.remove_prefix(text.starts_with("</") ? 2 : 1);
  return ::strncasecmp(text.data(), "ctest", std::min<std::size_t>(5, text.size())) == 0 ||
         ::strncasecmp(text.data(), "dart", std::min<std::size_t>(4, text.size())) == 0;
}

}  // namespace

std::string sanitize_line(std::string_view text, std::size_t most) {
  std::string line;
  std::size_t kept = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (const std::size_t skipped = escape_sequence(rest); skipped > 0) {
      at += skipped;
      continue;
    }
    if (kept++ == most) return line + "...";
    const base::Character next = base::first_character(rest);
    if (next.code == '\n' || next.code == '\t') {
      line += ' ';
    } else if (next.code != '\r') {
      const bool is_shown = can_be_shown(next.code) && !opens_ctest_tag(rest);
      line += is_shown ? rest.substr(0, next.bytes) : "?";
    }
    at += next.bytes;
  }
  return line;
}

std::string sanitize_output(std::string_view text, std::size_t lines) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.empty()) return {};
  std::vector<std::string> kept;
  std::size_t end = text.size();
  bool is_begun = false;
  while (!is_begun && kept.size() < lines) {
    const std::size_t before = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
    is_begun = before == std::string_view::npos;
    const std::size_t start = is_begun ? 0 : before + 1;
    kept.push_back(sanitize_line(text.substr(start, end - start), kMostOfLine));
    end = is_begun ? 0 : before;
  }
  std::string result = is_begun ? "" : "(earlier lines left out)\n";
  for (auto line = kept.rbegin(); line != kept.rend(); ++line) result += *line + '\n';
  return result;
}

}  // namespace grader
