// SPDX-License-Identifier: MIT
// Comma-separated values with quotes, and the numbers that profilers print in them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// One line's fields.
using CsvRow = std::vector<std::string>;

struct CsvTable {
  std::vector<CsvRow> rows;        ///< without empty lines
  std::vector<std::size_t> lines;  ///< where each row begins, from 1
  bool cut_off = false;            ///< the text ends inside quotes
};

/// Splits text into rows; quoted fields may hold commas, doubled quotes and line ends.
CsvTable parse_csv(std::string_view text);

/// A number that may carry thousands separators ("590,680,286"); empty for "n/a", "no data", an
/// empty cell, or anything else that is not one number.
std::optional<double> parse_counter(std::string_view text);

}  // namespace roofline
