// SPDX-License-Identifier: MIT
// The frontier of a sweep as terminal text, SVG and HTML.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/html.hpp"
#include "base/text.hpp"
#include "roofline/serve/deployment.hpp"

namespace roofline::serve {
namespace {

using base::formatted;

constexpr int kWidth = 760;
constexpr int kHeight = 460;
constexpr int kLeft = 70;
constexpr int kRight = 20;
constexpr int kTop = 40;
constexpr int kBottom = 56;

struct Axis {
  double low = 0;
  double high = 1;
  double step = 1;
};

/// From 0 to above the largest value, in steps of 1, 2 or 5 times a power of ten.
Axis axis_for(double most) {
  constexpr double kSteps = 5;
  const double rough = std::max(most, 1e-9) / kSteps;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * power >= rough) step = factor * power;
  }
  return {0, step * std::ceil(most * 1.02 / step), step};
}

struct Frame {
  Axis user;
  Axis gpu;
};

std::vector<const Point*> drawn(const std::vector<Point>& points) {
  std::vector<const Point*> result;
  for (const Point& point : points) {
    if (point.problem.empty() && point.summary.finished > 0) result.push_back(&point);
  }
  if (result.empty()) throw std::invalid_argument("no configuration of the sweep could be run");
  return result;
}

Frame frame_of(const std::vector<const Point*>& points) {
  double user = 0;
  double gpu = 0;
  for (const Point* point : points) {
    user = std::max(user, point->summary.tokens_per_second_per_user);
    gpu = std::max(gpu, point->summary.tokens_per_second_per_gpu);
  }
  return {axis_for(user), axis_for(gpu)};
}

std::vector<const Point*> frontier(std::vector<const Point*> points) {
  points.erase(std::remove_if(points.begin(), points.end(),
                              [](const Point* point) { return !point->on_frontier; }),
               points.end());
  std::sort(points.begin(), points.end(), [](const Point* a, const Point* b) {
    return a->summary.tokens_per_second_per_user < b->summary.tokens_per_second_per_user;
  });
  return points;
}

std::string described(const Point& point) {
  const Summary& s = point.summary;
  std::string text =
      point.label +
      formatted(
          "\n%.1f tokens/s per user, %.0f tokens/s per GPU on %.0f\nTTFT p50 %.0f ms, p99 %.0f ms; "
          "TPOT p99 %.1f ms\nwithin the limits %.1f %%",
          s.tokens_per_second_per_user, s.tokens_per_second_per_gpu, s.gpus,
          1e3 * s.time_to_first_token.p50, 1e3 * s.time_to_first_token.p99,
          1e3 * s.time_per_output_token.p99, 100 * s.good_part);
  if (s.dollars_per_million_tokens) {
    text += formatted("; $%.3f per million tokens", *s.dollars_per_million_tokens);
  }
  if (s.joules_per_token) text += formatted("; %.2f J per token", *s.joules_per_token);
  return text;
}

double x_of(const Frame& frame, double user) {
  return kLeft + user / frame.user.high * (kWidth - kLeft - kRight);
}

double y_of(const Frame& frame, double gpu) {
  return kHeight - kBottom - gpu / frame.gpu.high * (kHeight - kTop - kBottom);
}

std::string line(double x1, double y1, double x2, double y2, const char* kind) {
  return formatted("<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", kind,
                   x1, y1, x2, y2);
}

std::string label(double x, double y, const char* anchor, const std::string& words) {
  return formatted("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor) +
         base::html_escaped(words) + "</text>\n";
}

std::string axes(const Frame& frame) {
  std::string svg;
  for (double v = 0; v <= frame.user.high * 1.001; v += frame.user.step) {
    svg += line(x_of(frame, v), kTop, x_of(frame, v), kHeight - kBottom, "grid");
    svg += label(x_of(frame, v), kHeight - kBottom + 18, "middle", formatted("%g", v));
  }
  for (double v = 0; v <= frame.gpu.high * 1.001; v += frame.gpu.step) {
    svg += line(kLeft, y_of(frame, v), kWidth - kRight, y_of(frame, v), "grid");
    svg += label(kLeft - 8, y_of(frame, v) + 4, "end", formatted("%g", v));
  }
  svg += label((kLeft + kWidth - kRight) / 2.0, kHeight - 14, "middle", "tokens/s per user");
  svg += "<text transform=\"translate(16 " + std::to_string((kTop + kHeight - kBottom) / 2) +
         ") rotate(-90)\" text-anchor=\"middle\">tokens/s per GPU</text>\n";
  return svg;
}

std::string drawing(const std::vector<Point>& points, const std::string& title) {
  const std::vector<const Point*> all = drawn(points);
  const Frame frame = frame_of(all);
  std::string svg = axes(frame) + "<text class=\"title\" x=\"" + std::to_string(kLeft) +
                    "\" y=\"24\">" + base::html_escaped(title) + "</text>\n";
  std::string path;
  for (const Point* point : frontier(all)) {
    path += formatted("%.1f,%.1f ", x_of(frame, point->summary.tokens_per_second_per_user),
                      y_of(frame, point->summary.tokens_per_second_per_gpu));
  }
  svg += "<polyline class=\"frontier\" points=\"" + path + "\"/>\n";
  for (const Point* point : all) {
    svg += formatted("<circle class=\"%s\" tabindex=\"0\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"><title>",
                     point->on_frontier ? "best" : "point",
                     x_of(frame, point->summary.tokens_per_second_per_user),
                     y_of(frame, point->summary.tokens_per_second_per_gpu),
                     point->on_frontier ? 6 : 4) +
           base::html_escaped(described(*point)) + "</title></circle>\n";
  }
  return svg;
}

// Okabe and Ito's blue and grey, which also differ in size and outline for readers without colour.
constexpr const char* kStyle =
    "text{font:13px sans-serif;fill:#222}.title{font-size:16px}.grid{stroke:#ddd}"
    ".frontier{fill:none;stroke:#0072b2;stroke-width:2}.best{fill:#0072b2;stroke:#fff}"
    ".point{fill:#bbb;stroke:#666}circle:hover,circle:focus{stroke:#d55e00;stroke-width:3;"
    "outline:none}";

std::string svg_of(const std::vector<Point>& points, const std::string& title) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + std::to_string(kWidth) + " " +
         std::to_string(kHeight) + "\" role=\"img\">\n<style>" + kStyle +
         "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n" +
         drawing(points, title) + "</svg>\n";
}

std::string without_trailing_spaces(const std::string& line) {
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::string table_row(const Point& point) {
  const Summary& s = point.summary;
  std::string row = point.on_frontier ? "<tr class=\"on\">" : "<tr>";
  row += "<td>" + base::html_escaped(point.label) + "</td>";
  if (!point.problem.empty()) {
    return row + "<td colspan=\"8\">" + base::html_escaped(point.problem) + "</td></tr>\n";
  }
  for (const std::string& cell :
       {formatted("%.0f", s.gpus), formatted("%.1f", s.tokens_per_second_per_user),
        formatted("%.0f", s.tokens_per_second_per_gpu),
        formatted("%.0f", 1e3 * s.time_to_first_token.p50),
        formatted("%.0f", 1e3 * s.time_to_first_token.p99),
        formatted("%.1f", 1e3 * s.time_per_output_token.p99), formatted("%.1f", 100 * s.good_part),
        s.dollars_per_million_tokens ? formatted("%.3f", *s.dollars_per_million_tokens)
                                     : std::string("-")}) {
    row += "<td>" + cell + "</td>";
  }
  return row + "</tr>\n";
}

}  // namespace

std::string frontier_terminal(const std::vector<Point>& points, int columns, int rows) {
  constexpr int kMargin = 9;
  const std::vector<const Point*> all = drawn(points);
  const Frame frame = frame_of(all);
  const int width = columns - kMargin - 1;
  std::vector<std::string> cells(static_cast<std::size_t>(rows),
                                 std::string(static_cast<std::size_t>(width), ' '));
  const auto put = [&](const Point& point, char mark) {
    const auto x =
        std::lround(point.summary.tokens_per_second_per_user / frame.user.high * (width - 1));
    const auto y =
        rows - 1 -
        std::lround(point.summary.tokens_per_second_per_gpu / frame.gpu.high * (rows - 1));
    cells[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] = mark;
  };
  for (const Point* point : all) put(*point, '.');
  const std::vector<const Point*> best = frontier(all);
  const auto mark_of = [](std::size_t i) {
    constexpr std::size_t kLetters = 26;
    return static_cast<char>(i < kLetters ? 'A' + i : '*');
  };
  for (std::size_t i = 0; i < best.size(); ++i) put(*best[i], mark_of(i));
  std::string text = "tokens/s per GPU\n";
  for (int row = 0; row < rows; ++row) {
    const double value = frame.gpu.high * (rows - 1 - row) / (rows - 1);
    const bool labelled = row % 5 == 0 || row == rows - 1;
    text += (labelled ? formatted("%8.0f", value) : std::string(8, ' ')) + "|" +
            without_trailing_spaces(cells[static_cast<std::size_t>(row)]) + "\n";
  }
  text += std::string(8, ' ') + "+" + std::string(static_cast<std::size_t>(width), '-') + "\n";
  text += formatted("%9s0  tokens/s per user %*.0f\n", "", width - 21, frame.user.high);
  for (std::size_t i = 0; i < best.size(); ++i) {
    const Summary& s = best[i]->summary;
    text += formatted("  %c %8.1f per user %8.0f per GPU  ", mark_of(i),
                      s.tokens_per_second_per_user, s.tokens_per_second_per_gpu) +
            best[i]->label + "\n";
  }
  return text;
}

std::string frontier_svg(const std::vector<Point>& points, const std::string& title) {
  return svg_of(points, title);
}

std::string frontier_html(const std::vector<Point>& points, const std::string& title) {
  std::string rows;
  for (const Point& point : points) rows += table_row(point);
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width\"><title>" +
         base::html_escaped(title) +
         "</title><style>body{font:15px sans-serif;margin:1rem auto;max-width:60rem;padding:0 1rem;"
         "background:#fff;color:#222}svg{width:100%;height:auto}#said{white-space:pre-line;"
         "min-height:6em;background:#f4f4f4;padding:.6em}table{border-collapse:collapse}"
         "td,th{padding:.2em .6em;text-align:right;border-bottom:1px solid #ddd}td:first-child,"
         "th:first-child{text-align:left}.on td{font-weight:bold}.wide{overflow-x:auto}</style>"
         "</head><body>\n" +
         svg_of(points, title) +
         "<p id=\"said\" aria-live=\"polite\">Point at a circle, or step through them with "
         "Tab.</p>\n"
         "<div class=\"wide\"><table><thead><tr><th>configuration</th><th>GPUs</th><th>tokens/s "
         "per user</th><th>tokens/s per GPU</th><th>TTFT p50, ms</th><th>TTFT p99, ms</th><th>TPOT "
         "p99, ms</th><th>within limits, %</th><th>$ per million "
         "tokens</th></tr></thead><tbody>\n" +
         rows +
         "</tbody></table></div>\n<script>for(const c of "
         "document.querySelectorAll('circle')){const "
         "say=()=>{document.getElementById('said').textContent=c.querySelector('title').textContent"
         "};c.addEventListener('pointerenter',say);c.addEventListener('focus',say)}</script>\n"
         "</body></html>\n";
}

}  // namespace roofline::serve
