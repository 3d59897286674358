// SPDX-License-Identifier: MIT
// Comma-separated values: text, fields that need quotes, and files with a header line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace base {

/// The fields of one row.
using CsvRow = std::vector<std::string>;

struct CsvTable {
  std::vector<CsvRow> rows;        ///< without empty lines
  std::vector<std::size_t> lines;  ///< where each row begins, from 1
  bool cut_off = false;            ///< the text ends inside quotes
};

/// Splits text into rows; quoted fields may hold separators, doubled quotes and line ends.
CsvTable parse_csv(std::string_view text, char separator = ',');

/// The index of the column with this name; the number of columns if there is none.
std::size_t column_of(const CsvRow& header, std::string_view name);

/// The text in quotes, which makes any content a valid field.
std::string csv_quoted(std::string_view text);

/// The text as a field, quoted only where necessary.
std::string csv_field(std::string_view text);

/// A CSV file with a header line, as rows of named fields.
class CsvFile {
 public:
  /// @throws std::runtime_error naming the file and the line that is not valid CSV.
  explicit CsvFile(const std::filesystem::path& file);

  std::size_t size() const { return rows_.size(); }
  bool has(const std::string& column) const;

  /// @throws std::runtime_error naming the column if the file lacks it.
  const std::string& field(std::size_t row, const std::string& column) const;

  /// @throws std::runtime_error for a malformed row.
  [[noreturn]] void fail(std::size_t row, const std::string& what) const;

 private:
  std::filesystem::path file_;
  CsvRow header_;
  std::vector<CsvRow> rows_;
  std::vector<std::size_t> lines_;  ///< where each row begins
};

}  // namespace base
