// SPDX-License-Identifier: MIT
// Reads the roofs from data/measured.
#include "h200.hpp"

#include <algorithm>
#include <string>

#include "base/csv.hpp"

namespace figures {

double measured_l1(const docs::Sources& sources) {
  using namespace base::prefixes;
  const base::CsvFile csv(sources.measured("h200_ladder.csv"));
  double best = 0;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    if (csv.field(row, "shift") != "0") continue;
    best = std::max(best, kGiga * std::stod(csv.field(row, "gb_per_s")));
  }
  return best;
}

double on_virtual_gpu(const docs::Sources& sources, const std::string& pattern,
                      const std::string& what) {
  return sources.measured_number("virtual_gpu_h200.csv", {{"pattern", pattern}, {"figure", what}},
                                 "virtual");
}

}  // namespace figures
