// SPDX-License-Identifier: MIT
// CSV as spreadsheet programs in several countries write it.
#include "grader/batch/class_list.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "base/csv.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace grader {
namespace {

/// Spreadsheet programs in many countries separate fields by semicolons.
char separator_of(std::string_view header) {
  for (const char other : {';', '\t'}) {
    if (header.find(',') == std::string_view::npos && header.find(other) != std::string_view::npos)
      return other;
  }
  return ',';
}

using Names = std::vector<std::string>;

/// The columns' names in the form that ListRow uses.
Names names_of(base::CsvRow header, const std::string& place) {
  std::set<std::string> seen;
  for (std::string& name : header) {
    name = base::lower_case(base::trimmed(name));
    if (name.empty() || seen.insert(name).second) continue;
    throw std::runtime_error(place + "the column " + name + " is a duplicate; keep one of them");
  }
  return header;
}

void require_utf8(std::string_view text, const std::string& file) {
  std::size_t number = 1;
  for (const std::string& line : base::lines_of(text)) {
    if (!base::is_utf8(line)) {
      throw std::runtime_error(file + ":" + std::to_string(number) +
                               ": not UTF-8; save the list as UTF-8");
    }
    ++number;
  }
}

/// An unquoted field that contains a separator shifts all later fields into other columns.
void require_own_columns(const base::CsvRow& fields, const Names& names, const std::string& place) {
  for (const std::string& field : fields) {
    if (field.find('\n') == std::string::npos) continue;
    throw std::runtime_error(place +
                             "a quoted field continues on the next line; close the quotes, and "
                             "keep each field on one line");
  }
  const std::size_t named = names.size();
  if (fields.size() < named) {
    throw std::runtime_error(place + "the header has " + std::to_string(named) +
                             " columns, this line " + std::to_string(fields.size()) +
                             "; write every separator, even before an empty field");
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if ((i < named && !names[i].empty()) || base::trimmed(fields[i]).empty()) continue;
    throw std::runtime_error(place + "this line has more fields than the header: \"" +
                             std::string(base::trimmed(fields[i])) +
                             "\" is in no column; put fields that contain a separator in quotes");
  }
}

bool is_blank(const base::CsvRow& fields) {
  return std::all_of(fields.begin(), fields.end(),
                     [](const std::string& field) { return base::trimmed(field).empty(); });
}

}  // namespace

std::vector<ListRow> read_list(const std::filesystem::path& file,
                               const std::vector<std::string>& needed) {
  if (!std::filesystem::is_regular_file(file)) {
    throw std::runtime_error("cannot read " + file.string());
  }
  const std::string content = base::read_file(file);
  const std::string_view text = base::without_byte_order_mark(content);
  require_utf8(text, file.string());
  const base::CsvTable table = base::parse_csv(text, separator_of(text.substr(0, text.find('\n'))));
  const auto place_of = [&](std::size_t row) {
    return file.string() + ":" + std::to_string(table.lines[row]) + ": ";
  };
  if (table.rows.empty()) throw std::runtime_error(file.string() + ": the list is empty");
  if (table.cut_off) {
    throw std::runtime_error(place_of(table.rows.size() - 1) +
                             "a quote is not closed; write a quote within a field twice, and the "
                             "field in quotes");
  }
  const Names names = names_of(table.rows[0], place_of(0));
  for (const std::string& name : needed) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw std::runtime_error(place_of(0) + "the header has no column " + name);
    }
  }
  std::vector<ListRow> rows;
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    const base::CsvRow& fields = table.rows[i];
    if (is_blank(fields)) continue;
    ListRow row{place_of(i), {}};
    require_own_columns(fields, names, row.place);
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (!names[k].empty()) row.fields[names[k]] = base::trimmed(fields[k]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace grader
