// SPDX-License-Identifier: MIT
// Two measurement reports side by side.
#pragma once

#include <string>
#include <vector>

#include "roofline/measurement.hpp"

namespace roofline {

/// One roof that is in both reports.
struct RoofChange {
  MeasuredRoof before;
  MeasuredRoof after;
  double ratio = 0;          ///< after / before, medians
  bool significant = false;  ///< the 5 %-95 % intervals do not overlap
};

struct Comparison {
  std::vector<RoofChange> changes;  ///< in the order of the first report
  std::vector<std::string> only_in_first;
  std::vector<std::string> only_in_second;
  std::vector<std::string> differences;  ///< device, driver, compiler, flags ... that differ
};

/// Compares by name. Results refused on either side are left out.
Comparison compare(const Report& first, const Report& second);

}  // namespace roofline
