// SPDX-License-Identifier: MIT
// Reading CSV files.
#include "roofline/csv_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "csv.hpp"

namespace roofline {
namespace {

[[noreturn]] void fail_at(const std::filesystem::path& file, std::size_t line,
                          const std::string& what) {
  throw std::runtime_error(file.string() + ":" + std::to_string(line) + ": " + what);
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot open " + file.string());
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& file) : file_(file) {
  CsvTable table = parse_csv(read_text(file));
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

}  // namespace roofline
