// SPDX-License-Identifier: MIT
// Tables that an instructor provides: class lists and submission times.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace grader {

/// One line of a table.
struct ListRow {
  std::string place;                          ///< "FILE:LINE: ", for messages
  std::map<std::string, std::string> fields;  ///< by the column's name in lower case, trimmed
};

/// Reads a UTF-8 CSV file whose header has at least the columns `needed`, in any case and order,
/// separated by commas, semicolons or tabs. Empty lines are skipped.
/// @throws std::runtime_error naming file and line for a duplicate column, a line with too few
/// fields or with a field outside all named columns, a field that spans several lines, and an
/// unclosed quote.
std::vector<ListRow> read_list(const std::filesystem::path& file,
                               const std::vector<std::string>& needed);

}  // namespace grader
