// SPDX-License-Identifier: MIT
// Lets the last one win every tie.
// Refused: 03.f.limiting | failed | wrong for
#include <cstddef>

#include "formulas.hpp"
#include "harness/function.hpp"

std::int64_t limiting_level(double peak, double flops, const std::vector<Level>& levels) {
  double longest = flops / peak;
  std::int64_t limit = -1;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double seconds = levels[i].bytes / levels[i].bytes_per_second;
    if (seconds < longest) continue;
    longest = seconds;
    limit = static_cast<std::int64_t>(i);
  }
  return limit;
}

HARNESS_FUNCTION(limiting_level)
