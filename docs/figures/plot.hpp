// SPDX-License-Identifier: MIT
// Axes with ticks inside a drawing, and what is plotted on them.
#pragma once

#include <string>
#include <vector>

#include "drawing.hpp"
#include "roofline/bounds.hpp"

namespace figures {

struct Tick {
  double value = 0;
  std::string label;  ///< empty: only a grid line
};

struct Axis {
  std::string label;  ///< quantity and unit
  double low = 0;
  double high = 1;
  bool logarithmic = false;
  std::vector<Tick> ticks;
};

/// Ticks at the values, labelled with them.
std::vector<Tick> ticks(const std::vector<double>& values, int decimals = 0);

class Plot {
 public:
  /// Draws axes, grid and labels; the label of y is above the plot.
  Plot(Drawing& drawing, const Box& area, Axis x, Axis y);

  Point at(double x, double y) const;
  double left() const { return area_.x; }
  double bottom() const { return area_.bottom(); }

  void line(const std::vector<Point>& values, const Stroke& stroke);
  void dots(const std::vector<Point>& values, Tone tone, double radius = 3.5);
  /// A label next to a point of the plot, offset by this many units.
  void label(Point value, Point moved, std::string_view words, const Text& style);
  /// The roof of a machine over an axis of intensity; one unit of y is `scale` FLOP/s.
  void roof(const roofline::Roof& roof, double scale, const Stroke& stroke);

 private:
  Drawing& drawing_;
  Box area_;
  Axis x_;
  Axis y_;
};

}  // namespace figures
