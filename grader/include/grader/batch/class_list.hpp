// SPDX-License-Identifier: MIT
// Tables that an instructor brings: class lists, times of hand-ins.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace grader {

/// A line of a table.
struct ListRow {
  std::string place;                          ///< "FILE:LINE: ", for messages
  std::map<std::string, std::string> fields;  ///< by the column's name in lower case, trimmed
};

/// Reads a CSV in UTF-8 whose header has at least the columns `needed`, in any case and order,
/// separated by commas, semicolons or tabs. Empty lines are left out. @throws std::runtime_error
/// naming file and line: a column that is there twice, a line with fewer fields than the header or
/// with a field that is in none of its columns, a field over several lines, a quote without its
/// end.
std::vector<ListRow> read_list(const std::filesystem::path& file,
                               const std::vector<std::string>& needed);

}  // namespace grader
