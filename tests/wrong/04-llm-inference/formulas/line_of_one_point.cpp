// SPDX-License-Identifier: MIT
// Draws a line through a single point.
// Refused: 04.formulas.fit | failed | should be an exception
#include "formulas.hpp"
#include "harness/function.hpp"

Line fit_line(const std::vector<Point>& points) {
  Point mean;
  for (const Point& point : points) {
    mean.x += point.x / static_cast<double>(points.size());
    mean.y += point.y / static_cast<double>(points.size());
  }
  double xx = 0;
  double xy = 0;
  for (const Point& point : points) {
    xx += (point.x - mean.x) * (point.x - mean.x);
    xy += (point.x - mean.x) * (point.y - mean.y);
  }
  const double slope = xx == 0 ? 0 : xy / xx;
  return {slope, mean.y - slope * mean.x};
}

HARNESS_FUNCTION(fit_line)
