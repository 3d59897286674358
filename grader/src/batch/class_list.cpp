// SPDX-License-Identifier: MIT
// CSV as spreadsheets of several countries write it.
#include "grader/batch/class_list.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>
#include <string_view>

#include "base/csv.hpp"
#include "base/utf8.hpp"

namespace grader {
namespace {

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? ""
                                    : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Spreadsheets in many countries write ; between fields.
char separator_of(std::string_view header) {
  for (const char other : {';', '\t'}) {
    if (header.find(',') == std::string_view::npos && header.find(other) != std::string_view::npos)
      return other;
  }
  return ',';
}

/// The fields of one line; none of an empty one.
base::CsvRow fields_of(std::string_view line, char separator) {
  base::CsvTable table = base::parse_csv(line, separator);
  return table.rows.empty() ? base::CsvRow() : std::move(table.rows.front());
}

}  // namespace

std::vector<ListRow> read_list(const std::filesystem::path& file,
                               const std::vector<std::string>& needed) {
  std::ifstream in(file);
  std::string line;
  if (!in || !std::getline(in, line)) throw std::runtime_error("cannot read " + file.string());
  const std::string header(base::without_byte_order_mark(line));
  const char separator = separator_of(header);
  base::CsvRow names = fields_of(header, separator);
  for (std::string& name : names) {
    name = trimmed(name);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  for (const std::string& name : needed) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw std::runtime_error(file.string() + ":1: the header has no column " + name);
    }
  }
  std::vector<ListRow> rows;
  for (int number = 2; std::getline(in, line); ++number) {
    ListRow row{file.string() + ":" + std::to_string(number) + ": ", {}};
    if (!base::is_utf8(line))
      throw std::runtime_error(row.place + "not UTF-8; save the list as UTF-8");
    const base::CsvRow fields = fields_of(line, separator);
    if (fields.empty()) continue;
    for (std::size_t i = 0; i < names.size(); ++i) {
      row.fields[names[i]] = i < fields.size() ? trimmed(fields[i]) : "";
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace grader
