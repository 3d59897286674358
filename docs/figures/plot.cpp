// SPDX-License-Identifier: MIT
// Positions values on linear and logarithmic axes.
#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace figures {
namespace {

/// 0 at the low end of an axis, 1 at the high end.
double share(const Axis& axis, double value) {
  if (!axis.logarithmic) return (value - axis.low) / (axis.high - axis.low);
  return std::log(value / axis.low) / std::log(axis.high / axis.low);
}

constexpr Text kTickText = small(Tone::kSoft);

}  // namespace

std::vector<Tick> ticks(const std::vector<double>& values, int decimals) {
  std::vector<Tick> result;
  for (const double value : values) result.push_back({value, trimmed(value, decimals)});
  return result;
}

Plot::Plot(Drawing& drawing, const Box& area, Axis x, Axis y)
    : drawing_(drawing), area_(area), x_(std::move(x)), y_(std::move(y)) {
  constexpr double kBelow = 17;  // the baseline of a tick's label, below the axis
  for (const Tick& tick : x_.ticks) {
    const double position = at(tick.value, y_.low).x;
    drawing_.line({position, area_.y}, {position, area_.bottom()},
                  {.tone = Tone::kPanel, .width = 1});
    Text style = kTickText;
    style.anchor = Anchor::kMiddle;
    if (!tick.label.empty()) drawing_.text({position, area_.bottom() + kBelow}, tick.label, style);
  }
  for (const Tick& tick : y_.ticks) {
    const double position = at(x_.low, tick.value).y;
    drawing_.line({area_.x, position}, {area_.right(), position},
                  {.tone = Tone::kPanel, .width = 1});
    Text style = kTickText;
    style.anchor = Anchor::kEnd;
    if (!tick.label.empty()) drawing_.text({area_.x - 6, position + 4.5}, tick.label, style);
  }
  drawing_.path({{area_.x, area_.y}, {area_.x, area_.bottom()}, {area_.right(), area_.bottom()}},
                {.tone = Tone::kLine, .width = 1});
  Text style = kTickText;
  if (!y_.label.empty()) drawing_.text({6, area_.y - 9}, y_.label, style);
  style.anchor = Anchor::kEnd;
  if (!x_.label.empty()) drawing_.text({area_.right(), area_.bottom() + 35}, x_.label, style);
}

Point Plot::at(double x, double y) const {
  return {area_.x + share(x_, x) * area_.width, area_.bottom() - share(y_, y) * area_.height};
}

void Plot::line(const std::vector<Point>& values, const Stroke& stroke) {
  std::vector<Point> points;
  points.reserve(values.size());
  for (const Point& value : values) points.push_back(at(value.x, value.y));
  drawing_.path(points, stroke);
}

void Plot::dots(const std::vector<Point>& values, Tone tone, double radius) {
  for (const Point& value : values) drawing_.dot(at(value.x, value.y), tone, radius);
}

void Plot::label(Point value, Point moved, std::string_view words, const Text& style) {
  const Point point = at(value.x, value.y);
  drawing_.text({point.x + moved.x, point.y + moved.y}, words, style);
}

void Plot::roof(const roofline::Roof& roof, double scale, const Stroke& stroke) {
  // The slope starts where it enters the plot, at its left or at its bottom.
  const double begin = std::max(x_.low, y_.low * scale / roof.bytes_per_second);
  const double ridge = std::min(roofline::ridge(roof), x_.high);
  line({{begin, roofline::attainable(roof, begin) / scale},
        {ridge, roofline::attainable(roof, ridge) / scale},
        {x_.high, roofline::attainable(roof, x_.high) / scale}},
       stroke);
}

}  // namespace figures
