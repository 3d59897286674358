// SPDX-License-Identifier: MIT
// Splitting, quoting and reading of comma-separated values.
#include "base/csv.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "base/files.hpp"

namespace base {
namespace {

[[noreturn]] void fail_at(const std::filesystem::path& file, std::size_t line,
                          const std::string& what) {
  throw std::runtime_error(file.string() + ":" + std::to_string(line) + ": " + what);
}

}  // namespace

CsvTable parse_csv(std::string_view text, char separator) {
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
    } else if (letter == separator) {
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

std::size_t column_of(const CsvRow& header, std::string_view name) {
  return static_cast<std::size_t>(std::find(header.begin(), header.end(), name) - header.begin());
}

std::string csv_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) {
    if (letter == '"') quoted += '"';
    quoted += letter;
  }
  return quoted + '"';
}

std::string csv_field(std::string_view text) {
  const bool needs_quotes = text.find_first_of(",\"\n\r") != std::string_view::npos;
  return needs_quotes ? csv_quoted(text) : std::string(text);
}

CsvFile::CsvFile(const std::filesystem::path& file) : file_(file) {
  CsvTable table = parse_csv(read_file(file));
  if (table.rows.empty()) fail_at(file, 1, "the file is empty; a header line is expected");
  if (table.cut_off) fail_at(file, table.lines.back(), "a quoted field is not closed");
  header_ = std::move(table.rows.front());
  rows_.assign(std::make_move_iterator(table.rows.begin() + 1),
               std::make_move_iterator(table.rows.end()));
  lines_.assign(table.lines.begin() + 1, table.lines.end());
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (rows_[row].size() != header_.size()) {
      fail_at(file, lines_[row],
              "the header names " + std::to_string(header_.size()) + " fields, this row has " +
                  std::to_string(rows_[row].size()));
    }
  }
}

bool CsvFile::has(const std::string& column) const {
  return std::find(header_.begin(), header_.end(), column) != header_.end();
}

const std::string& CsvFile::field(std::size_t row, const std::string& column) const {
  const auto found = std::find(header_.begin(), header_.end(), column);
  if (found == header_.end()) fail_at(file_, 1, "the column " + column + " is missing");
  return rows_.at(row).at(static_cast<std::size_t>(found - header_.begin()));
}

void CsvFile::fail(std::size_t row, const std::string& what) const {
  fail_at(file_, lines_.at(row), what);
}

}  // namespace base
