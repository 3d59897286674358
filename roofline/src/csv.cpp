// SPDX-License-Identifier: MIT
// Comma-separated values.
#include "csv.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace roofline {

CsvTable parse_csv(std::string_view text) {
  CsvTable table;
  CsvRow row;
  std::string field;
  bool quoted = false;
  std::size_t line = 1;
  std::size_t row_line = 1;
  const auto end_field = [&] { row.push_back(std::exchange(field, {})); };
  const auto end_row = [&] {
    end_field();
    if (row.size() > 1 || !row[0].empty()) {
      table.rows.push_back(std::exchange(row, {}));
      table.lines.push_back(row_line);
    }
    row.clear();
    row_line = line + 1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quoted && letter == '\n') ++line;
    if (quoted) {
      const bool doubled = letter == '"' && i + 1 < text.size() && text[i + 1] == '"';
      if (doubled)
        field += text[++i];
      else if (letter == '"')
        quoted = false;
      else
        field += letter;
    } else if (letter == '"') {
      quoted = true;
    } else if (letter == ',') {
      end_field();
    } else if (letter == '\n') {
      end_row();
      ++line;
    } else if (letter != '\r') {
      field += letter;
    }
  }
  table.cut_off = quoted;
  if (!field.empty() || !row.empty()) end_row();
  return table;
}

std::optional<double> parse_counter(std::string_view text) {
  std::string digits;
  // A comma is a thousands separator only where three digits follow and then no further digit.
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',') {
      digits += text[i];
      continue;
    }
    const auto group = text.substr(i + 1, 3);
    const bool three = group.size() == 3 && group.find_first_not_of("0123456789") == group.npos;
    const bool ends = i + 4 >= text.size() || text[i + 4] == ',' || text[i + 4] == '.';
    if (!three || !ends || i == 0 || digits.find('.') != digits.npos) return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

}  // namespace roofline
