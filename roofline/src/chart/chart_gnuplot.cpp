// SPDX-License-Identifier: MIT
// The roofline chart as a gnuplot script.
#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "base/text.hpp"
#include "palette.hpp"
#include "roofline/chart/chart.hpp"
#include "roofline/units.hpp"

namespace roofline {
namespace {

constexpr int kWidth = 1000;
constexpr int kHeight = 680;
// The plotting area as fractions of the image, so that the angle of a slope in the image is known.
constexpr double kLeft = 0.1;
constexpr double kRight = 0.97;
constexpr double kBottom = 0.12;
constexpr double kTop = 0.91;
constexpr double kPi = 3.14159265358979323846;

constexpr int kDashCount = 5;
constexpr int kPointTypes[] = {7, 5, 9, 13, 11, 15};  // filled; one less is the same shape, open
constexpr int kPointTypeCount = 6;
constexpr double kArrowPixels = 36;

const char* point_colour(std::size_t point) {
  return kColours[(point + 1) % kColours.size()];
}

// The angle, in degrees, of a line of slope one in log-log coordinates.
double slope_angle(const ChartRange& range) {
  const double horizontal =
      (kRight - kLeft) * kWidth / std::log10(range.intensity_high / range.intensity_low);
  const double vertical = (kTop - kBottom) * kHeight / std::log10(range.rate_high / range.rate_low);
  return std::atan2(vertical, horizontal) * 180 / kPi;
}

// The factor by which intensity and rate grow along an arrow of kArrowPixels.
double arrow_factor(const ChartRange& range) {
  const double angle = slope_angle(range) * kPi / 180;
  const double per_decade =
      (kRight - kLeft) * kWidth / std::log10(range.intensity_high / range.intensity_low);
  return std::pow(10, kArrowPixels * std::cos(angle) / per_decade);
}

// Ceilings that are too close for two lines of text share a label.
struct Label {
  std::string text;
  double rate;
};

std::vector<Label> ceiling_labels(const Chart& chart, const ChartRange& range) {
  std::vector<Ceiling> sorted = chart.ceilings;
  std::sort(sorted.begin(), sorted.end(), [](const Ceiling& a, const Ceiling& b) {
    return a.flops_per_second > b.flops_per_second;
  });
  const double line_height = std::pow(range.rate_high / range.rate_low, 0.032);
  std::vector<Label> labels;
  double lowest = 0;
  for (const Ceiling& ceiling : sorted) {
    const std::string text = ceiling.name + "  " +
                             (ceiling.integers ? format_integer_work : format_quantity)(
                                 ceiling.flops_per_second, kOperationsPerSecond, 4);
    if (!labels.empty() && lowest < ceiling.flops_per_second * line_height) {
      labels.back().text = text + "  |  " + labels.back().text;
    } else {
      labels.push_back({text, ceiling.flops_per_second});
    }
    lowest = ceiling.flops_per_second;
  }
  return labels;
}

void write_frame(std::ostream& out, const Chart& chart, const ChartRange& range, ImageFormat format,
                 const std::string& file) {
  if (format == ImageFormat::kSvg) {
    out << "set terminal svg size " << kWidth << "," << kHeight
        << " font 'Helvetica,15' background '#ffffff'\n";
  } else {
    out << "set terminal pngcairo size " << 2 * kWidth << "," << 2 * kHeight
        << " font 'Sans,13' fontscale 2 linewidth 2 pointscale 2\n";
  }
  out << "set output " << gnuplot_quoted(file) << "\n"
      << "set lmargin at screen " << kLeft << "\nset rmargin at screen " << kRight
      << "\nset bmargin at screen " << kBottom << "\nset tmargin at screen " << kTop << "\n"
      << "set title " << gnuplot_quoted(chart.title) << " noenhanced\n"
      << "set xlabel 'arithmetic intensity, " << intensity_unit(chart)
      << "'\nset ylabel 'performance, " << rate_unit(chart) << "'\n"
      << "set logscale xy\nset format x '%g'\nset format y '%.0s %c'\n"
      << "set xrange [" << range.intensity_low << ":" << range.intensity_high << "]\n"
      << "set yrange [" << range.rate_low << ":" << range.rate_high << "]\n"
      << "set grid xtics ytics lc rgb '#e4e4e4' lt 1 lw 0.5\nunset key\n";
}

void write_regions(std::ostream& out, const Chart& chart, const ChartRange& range) {
  // The ridge of the highest ceiling separates the regions; lower ceilings have ridges further
  // left.
  const Ridge last = ridges_of(chart).back();
  const double low = range.rate_low * std::pow(range.rate_high / range.rate_low, 0.03);
  out << "set arrow 1 from " << last.intensity << "," << range.rate_low << " to " << last.intensity
      << "," << last.flops_per_second << " nohead dashtype 3 lc rgb '#808080' back\n"
      << "set label 1 'memory-bound' at "
      << std::sqrt(range.intensity_low * std::min(last.intensity, range.intensity_high)) << ","
      << low << " center textcolor rgb '#606060' font ',12'\n"
      << "set label 2 'compute-bound' at " << std::sqrt(last.intensity * range.intensity_high)
      << "," << low << " center textcolor rgb '#606060' font ',12'\n";
}

void write_labels(std::ostream& out, const Chart& chart, const ChartRange& range) {
  for (const Label& label : ceiling_labels(chart, range)) {
    out << "set label " << gnuplot_quoted(label.text) << " at " << range.intensity_high / 1.08
        << "," << label.rate << " right offset 0,0.55 noenhanced font ',12'\n";
  }
  const double angle = slope_angle(range);
  // Lifts the label above the slope, by the height of a line, at a right angle to it.
  const double lift =
      std::pow(range.rate_high / range.rate_low, 0.024 / std::cos(angle * kPi / 180));
  int index = 0;
  for (const Slope& slope : chart.slopes) {
    // Further along for each slope, so that the labels of close slopes do not touch.
    const double start =
        std::max(range.intensity_low, range.rate_low / slope.bytes_per_second) *
        std::pow(range.intensity_high / range.intensity_low, 0.02 + 0.03 * index++);
    out << "set label "
        << gnuplot_quoted(slope.name + "  " +
                          format_quantity(slope.bytes_per_second, kBytesPerSecond, 4))
        << " at " << start << "," << lift * start * slope.bytes_per_second << " rotate by " << angle
        << " noenhanced font ',12'\n";
  }
  for (const Ridge& ridge : ridges_of(chart)) {
    out << "set label " << gnuplot_quoted(base::formatted("%.3g", ridge.intensity)) << " at "
        << ridge.intensity << "," << ridge.flops_per_second
        << " right offset -0.8,0.55 font ',11' textcolor rgb '#404040'\n";
  }
}

// A text box in tenths of the axes' decades, to keep the names of points from overlapping.
struct Box {
  double left, bottom, right, top;
  bool touches(const Box& other) const {
    return left < other.right && other.left < right && bottom < other.top && other.bottom < top;
  }
};

void write_point_labels(std::ostream& out, const Chart& chart, const ChartRange& range) {
  const double letter = 0.0105;
  const double line = 0.035;
  const double gap = 0.012;  // between the mark and its name
  std::vector<Box> taken;
  for (const ChartPoint& point : chart.points) {
    const double x = std::log(point.intensity / range.intensity_low) /
                     std::log(range.intensity_high / range.intensity_low);
    const double y = std::log(point.flops_per_second / range.rate_low) /
                     std::log(range.rate_high / range.rate_low);
    const double width = letter * static_cast<double>(point.name.size());
    const bool to_the_right = x + gap + width <= 1 || x < 0.5;
    const double left = to_the_right ? x + gap : x - gap - width;
    // Try below the point first: the roof is above and to the left.
    for (const double shift : {-0.6, -1.6, 0.6, -2.6, 1.6, -3.6, 2.6, 3.6, 4.6, 5.6}) {
      const Box box{left, y + (shift - 0.5) * line, left + width, y + (shift + 0.5) * line};
      const bool free = box.bottom >= 0 && box.top <= 1 &&
                        std::none_of(taken.begin(), taken.end(),
                                     [&](const Box& other) { return box.touches(other); });
      if (!free && shift != 5.6) continue;
      taken.push_back(box);
      out << "set label " << gnuplot_quoted(point.name) << " at " << point.intensity << ","
          << point.flops_per_second << (to_the_right ? " left offset 1.2," : " right offset -1.2,")
          << shift << " noenhanced front font ',12'\n";
      break;
    }
  }
}

void write_lower_bounds(std::ostream& out, const Chart& chart, const ChartRange& range) {
  const double factor = arrow_factor(range);
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const ChartPoint& point = chart.points[i];
    if (!point.at_least) continue;
    out << "set arrow from " << point.intensity << "," << point.flops_per_second << " to "
        << point.intensity * factor << "," << point.flops_per_second * factor
        << " filled size screen 0.01,20 lw 2 lc rgb '" << point_colour(i) << "' front\n";
  }
  const std::string note = at_least_note(chart);
  if (!note.empty()) {
    out << "set label " << gnuplot_quoted(note) << " at graph 0.015,0.965 font ',12' noenhanced\n";
  }
}

// One polyline or set of marks: its style, and its points.
struct Series {
  std::string look;
  std::vector<std::pair<double, double>> points;
};

std::string line_look(int style, int dash) {
  return "with lines lw 2.2 dashtype " + std::to_string(dash) + " lc rgb '" +
         kColours[style % kColours.size()] + "'";
}

std::vector<Series> series_of(const Chart& chart, const ChartRange& range) {
  std::vector<Series> all;
  const double top = memory_roof(chart).flops_per_second;
  int style = 0;
  for (const Slope& slope : chart.slopes) {
    const double end = std::min(top / slope.bytes_per_second, range.intensity_high);
    all.push_back({line_look(style++, 1),
                   {{range.intensity_low, range.intensity_low * slope.bytes_per_second},
                    {end, end * slope.bytes_per_second}}});
  }
  int dash = 1;
  for (const Ceiling& ceiling : chart.ceilings) {
    const double start =
        std::max(ceiling.flops_per_second / highest_bandwidth(chart), range.intensity_low);
    all.push_back(
        {line_look(style++, dash),
         {{start, ceiling.flops_per_second}, {range.intensity_high, ceiling.flops_per_second}}});
    dash = dash % kDashCount + 1;
  }
  all.push_back({"with points pt 2 ps 1.1 lw 2 lc rgb '#000000'", {}});
  for (const Ridge& ridge : ridges_of(chart)) {
    all.back().points.emplace_back(ridge.intensity, ridge.flops_per_second);
  }
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const ChartPoint& point = chart.points[i];
    const int type = kPointTypes[i % kPointTypeCount] - (point.at_least ? 1 : 0);
    all.push_back(
        {"with points ps 1.6 lw 2 pt " + std::to_string(type) + " lc rgb '" + point_colour(i) + "'",
         {{point.intensity, point.flops_per_second}}});
  }
  return all;
}

void write_series(std::ostream& out, const std::vector<Series>& all) {
  const char* separator = "plot ";
  for (const Series& series : all) {
    out << separator << "'-' " << series.look;
    separator = ", \\\n  ";
  }
  out << "\n";
  for (const Series& series : all) {
    for (const auto& [intensity, rate] : series.points) out << intensity << " " << rate << "\n";
    out << "e\n";
  }
}

}  // namespace

std::string gnuplot_quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text)
    result += letter == '\'' ? std::string("''") : std::string(1, letter);
  return result + "'";
}

std::string gnuplot_script(const Chart& chart, ImageFormat format, const std::string& file) {
  const ChartRange range = range_of(chart);
  std::ostringstream out;
  out.precision(10);
  write_frame(out, chart, range, format, file);
  write_regions(out, chart, range);
  write_labels(out, chart, range);
  write_point_labels(out, chart, range);
  write_lower_bounds(out, chart, range);
  write_series(out, series_of(chart, range));
  return out.str();
}

}  // namespace roofline
