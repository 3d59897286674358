// SPDX-License-Identifier: MIT
// Times of the variants of races, as predict_races.cpp prints them.
#pragma once

#include <map>
#include <string>

#include "base/csv.hpp"

namespace races {

/// In s, by exercise and variant, one written after the other.
inline std::map<std::string, double> seconds_of_variants(const base::CsvFile& rows) {
  std::map<std::string, double> seconds;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    seconds[rows.field(row, "exercise") + rows.field(row, "variant")] =
        std::stod(rows.field(row, "seconds"));
  }
  return seconds;
}

}  // namespace races
