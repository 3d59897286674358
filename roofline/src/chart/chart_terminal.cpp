// SPDX-License-Identifier: MIT
// The roofline chart in a terminal.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "base/text.hpp"
#include "roofline/chart/chart.hpp"
#include "roofline/units.hpp"

namespace roofline {
namespace {

constexpr int kLeftMargin = 9;
constexpr int kFewestColumns = 40;
constexpr int kFewestRows = 8;

// The style of each mark; a cell holds one character, which is translated when printed.
struct Style {
  const char* slope;
  const char* ceiling;
  const char* ridge;
  const char* axis_vertical;
  const char* axis_horizontal;
  const char* corner;
};
constexpr Style kUnicode{"╱", "─", "◆", "│", "─", "└"};
constexpr Style kAscii{"/", "-", "*", "|", "-", "+"};
constexpr char kSlopeMark = '\1';
constexpr char kCeilingMark = '\2';
constexpr char kRidgeMark = '\3';

class Canvas {
 public:
  Canvas(const ChartRange& range, int columns, int rows)
      : range_(range), columns_(columns), rows_(rows), cells_(rows, std::string(columns, ' ')) {}

  int column(double intensity) const {
    return place(intensity, range_.intensity_low, range_.intensity_high, columns_);
  }
  int row(double rate) const {
    return rows_ - 1 - place(rate, range_.rate_low, range_.rate_high, rows_);
  }
  double intensity_at(int column) const {
    const double part = column / static_cast<double>(columns_ - 1);
    return range_.intensity_low * std::pow(range_.intensity_high / range_.intensity_low, part);
  }
  void put(int column, int row, char mark) {
    if (column >= 0 && column < columns_ && row >= 0 && row < rows_) cells_[row][column] = mark;
  }
  void write(int column, int row, const std::string& text) {
    for (std::size_t i = 0; i < text.size(); ++i) put(column + static_cast<int>(i), row, text[i]);
  }
  const std::string& line(int row) const { return cells_[row]; }
  int columns() const { return columns_; }
  int rows() const { return rows_; }

 private:
  static int place(double value, double low, double high, int cells) {
    return static_cast<int>(
        std::lround(std::log(value / low) / std::log(high / low) * (cells - 1)));
  }

  ChartRange range_;
  int columns_;
  int rows_;
  std::vector<std::string> cells_;
};

void draw_slopes(const Chart& chart, Canvas& canvas) {
  const double top = memory_roof(chart).flops_per_second;
  for (const Slope& slope : chart.slopes) {
    for (int column = 0; column < canvas.columns(); ++column) {
      const double rate = canvas.intensity_at(column) * slope.bytes_per_second;
      if (rate <= top) canvas.put(column, canvas.row(rate), kSlopeMark);
    }
  }
}

void draw_ceilings(const Chart& chart, Canvas& canvas) {
  const double steepest = highest_bandwidth(chart);
  std::vector<std::string> labels(canvas.rows());
  for (const Ceiling& ceiling : chart.ceilings) {
    const int row = canvas.row(ceiling.flops_per_second);
    const int first = std::max(0, canvas.column(ceiling.flops_per_second / steepest));
    for (int column = first; column < canvas.columns(); ++column) {
      canvas.put(column, row, kCeilingMark);
    }
    std::string& label = labels[row];
    label += (label.empty() ? " " : "; ") + ceiling.name;
  }
  for (int row = 0; row < canvas.rows(); ++row) {
    if (labels[row].empty()) continue;
    const std::string label = labels[row].substr(0, canvas.columns() / 2) + " ";
    canvas.write(canvas.columns() - static_cast<int>(label.size()) - 1, row, label);
  }
}

/// The letter of a point; after Z come small ones, and then all are alike.
char letter_of(std::size_t point) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  return point < kLetters.size() ? kLetters[point] : '?';
}

void draw_points(const Chart& chart, Canvas& canvas) {
  for (const Ridge& ridge : ridges_of(chart)) {
    canvas.put(canvas.column(ridge.intensity), canvas.row(ridge.flops_per_second), kRidgeMark);
  }
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const ChartPoint& point = chart.points[i];
    canvas.put(canvas.column(point.intensity), canvas.row(point.flops_per_second), letter_of(i));
  }
}

std::string cell_text(char mark, const Style& style) {
  switch (mark) {
    case kSlopeMark:
      return style.slope;
    case kCeilingMark:
      return style.ceiling;
    case kRidgeMark:
      return style.ridge;
    default:
      return std::string(1, mark);
  }
}

double first_decade(double low) {
  return std::pow(10, std::ceil(std::log10(low) - 1e-9));
}

// "100 G" next to the row of each decade of the vertical axis.
std::string row_label(const Canvas& canvas, const ChartRange& range, int row) {
  for (double rate = first_decade(range.rate_low); rate <= range.rate_high * 1.01; rate *= 10) {
    if (canvas.row(rate) != row) continue;
    std::string text = format_quantity(rate, kOperationsPerSecond, 3);
    return text.substr(0, text.find("FLOP"));
  }
  return "";
}

std::string frame(const Canvas& canvas, const ChartRange& range, const Style& style) {
  std::string text;
  for (int row = 0; row < canvas.rows(); ++row) {
    text += base::formatted("%*s ", kLeftMargin - 2, row_label(canvas, range, row).c_str());
    text += style.axis_vertical;
    std::string line = canvas.line(row);
    line.erase(line.find_last_not_of(' ') + 1);
    for (const char mark : line) text += cell_text(mark, style);
    text += '\n';
  }
  text += std::string(kLeftMargin - 1, ' ') + style.corner;
  for (int i = 0; i < canvas.columns(); ++i) text += style.axis_horizontal;
  return text + "\n";
}

std::string column_labels(const Canvas& canvas, const ChartRange& range) {
  std::string line(kLeftMargin + canvas.columns() + 1, ' ');
  for (double value = first_decade(range.intensity_low); value <= range.intensity_high * 1.01;
       value *= 10) {
    const std::string text = base::formatted("%g", value);
    const int length = static_cast<int>(text.size());
    int start = kLeftMargin + canvas.column(value) - length / 2;
    start = std::min<int>(start, static_cast<int>(line.size()) - length);
    line.replace(static_cast<std::size_t>(start), static_cast<std::size_t>(length), text);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string legend(const Chart& chart, const Style& style) {
  std::string text;
  for (const Slope& slope : chart.slopes) {
    text += "  " + std::string(style.slope) + " " + slope.name + " " +
            format_quantity(slope.bytes_per_second, kBytesPerSecond, 4) + "\n";
  }
  for (const Ridge& ridge : ridges_of(chart)) {
    const auto format = ridge.integers ? format_integer_work : format_quantity;
    text += base::formatted("  %s %-24s %s, ridge at %.4g %s\n", style.ridge, ridge.ceiling.c_str(),
                            format(ridge.flops_per_second, kOperationsPerSecond, 4).c_str(),
                            ridge.intensity, ridge.integers ? "OP/B" : "FLOP/B");
  }
  const Roof memory = memory_roof(chart);
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const ChartPoint& point = chart.points[i];
    const Bound bound = classify(memory, point.intensity);
    const std::string known = point.at_least && bound == Bound::kMemory
                                  ? "bound unknown,"
                                  : std::string(to_string(bound)) + "-bound,";
    text +=
        base::formatted("  %c %-14s %6.4g FLOP/B %13s  %s %s%.0f %% of the roof\n", letter_of(i),
                        point.name.c_str(), point.intensity,
                        format_quantity(point.flops_per_second, kOperationsPerSecond, 4).c_str(),
                        known.c_str(), point.at_least ? "at least " : "",
                        100 * point.flops_per_second / attainable(memory, point.intensity));
  }
  return text;
}

}  // namespace

std::string draw_terminal(const Chart& chart, int columns, int rows, bool unicode) {
  if (columns < kFewestColumns || rows < kFewestRows) {
    throw std::invalid_argument("a chart needs at least 40 columns and 8 rows");
  }
  const ChartRange range = range_of(chart);
  Canvas canvas(range, columns - kLeftMargin - 1, rows);
  draw_slopes(chart, canvas);
  draw_ceilings(chart, canvas);
  draw_points(chart, canvas);
  const Style& style = unicode ? kUnicode : kAscii;
  return rate_unit(chart) + "   " + chart.title + "\n" + frame(canvas, range, style) +
         column_labels(canvas, range) + std::string(kLeftMargin, ' ') + "arithmetic intensity, " +
         intensity_unit(chart) + "\n" + legend(chart, style);
}

}  // namespace roofline
