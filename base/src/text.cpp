// SPDX-License-Identifier: MIT
// Splitting, wrapping, trimming and comparing text.
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "base/utf8.hpp"

namespace base {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Removes the digits at the beginning of `text` and returns them without leading zeros.
std::string_view take_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return lines;
}

std::string formatted(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::string text(static_cast<std::size_t>(std::max(length, 0)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

std::string wrap(std::string_view text, std::size_t width, std::string_view first,
                 std::string_view margin) {
  std::istringstream words{std::string(text)};
  std::string result;
  std::string line;
  std::string_view before = first;
  for (std::string word; words >> word;) {
    if (!line.empty() && width_of(before) + width_of(line) + 1 + width_of(word) > width) {
      result.append(before).append(line).append("\n");
      line.clear();
      before = margin;
    }
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) result.append(before).append(line).append("\n");
  return result;
}

std::string wrap(std::string_view text, std::size_t width, std::string_view margin) {
  return wrap(text, width, margin, margin);
}

std::string wrap_command(std::string_view command, std::size_t width) {
  std::string result;
  std::size_t columns = 0;
  while (!command.empty()) {
    const std::size_t end = std::min(command.find_first_of(", "), command.size() - 1) + 1;
    if (columns > 0 && columns + end >= width) {
      result += "\\\n";
      columns = 0;
    }
    result.append(command.substr(0, end));
    columns += end;
    command.remove_prefix(end);
  }
  return result + "\n";
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

bool natural_less(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view first = take_number(a), second = take_number(b);
      if (first.size() != second.size()) return first.size() < second.size();
      if (first != second) return first < second;
      continue;
    }
    if (a.front() != b.front()) {
      return static_cast<unsigned char>(a.front()) < static_cast<unsigned char>(b.front());
    }
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j + 1] + 1, row[j] + 1, changed});
    }
  }
  return row.back();
}

}  // namespace base
