// SPDX-License-Identifier: MIT
// One self-contained HTML page: the table, the messages, and the student's kernels on a roofline.
#include "base/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "grader/report/report.hpp"
#include "roofline/machine.hpp"

namespace grader {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 320;
constexpr double kMargin = 56;

const char* const kStyle = R"(
body{font:15px/1.5 system-ui,sans-serif;max-width:56rem;margin:2rem auto;padding:0 1rem;
color:#1d2328;background:#fff}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;
border-bottom:1px solid #d5dadf;vertical-align:top}td.n{text-align:right;white-space:nowrap}
pre{background:#f4f6f8;padding:.6rem;overflow-x:auto;font-size:13px}
.passed{color:#176f2c}.failed,.crashed,.missing,.error,.timed{color:#a11212}
.partial,.unsolved,.inconclusive,.skipped,.shown{color:#8a5a00}
@media(prefers-color-scheme:dark){body{color:#e4e8ec;background:#14181c}
pre{background:#20262c}th,td{border-color:#39424b}.passed{color:#6fd389}
.failed,.crashed,.missing,.error,.timed{color:#ff8a80}
.partial,.unsolved,.inconclusive,.skipped,.shown{color:#f0b552}}
)";

std::optional<double> metric(const Verdict& verdict, const std::string& name) {
  for (const auto& [key, value] : verdict.metrics) {
    if (key == name && std::isfinite(value) && value > 0) return value;
  }
  return std::nullopt;
}

struct Point {
  std::string name;
  double intensity;  ///< FLOP/B
  double rate;       ///< FLOP/s
};

std::vector<Point> points_of(const Results& results) {
  std::vector<Point> points;
  for (const Verdict& verdict : results.verdicts) {
    const auto intensity = metric(verdict, "flops_per_byte");
    const auto rate = metric(verdict, "flops_per_second");
    if (intensity && rate) points.push_back({verdict.id, *intensity, *rate});
  }
  return points;
}

/// Log-log axes over whole decades.
class Axes {
 public:
  Axes(const std::vector<Point>& points, const Roofs& roofs) {
    double low_x = roofs.flops_per_second / roofs.bytes_per_second;
    double high_x = low_x;
    double low_y = roofs.flops_per_second;
    for (const Point& point : points) {
      low_x = std::min(low_x, point.intensity);
      high_x = std::max(high_x, point.intensity);
      low_y = std::min(low_y, point.rate);
    }
    x0_ = std::floor(std::log10(low_x)) - 0.5;
    x1_ = std::ceil(std::log10(high_x)) + 0.5;
    y0_ = std::floor(std::log10(low_y)) - 0.3;
    y1_ = std::log10(roofs.flops_per_second) + 0.4;
  }
  double x(double intensity) const {
    return kMargin + (std::log10(intensity) - x0_) / (x1_ - x0_) * (kWidth - kMargin - 16);
  }
  double y(double rate) const {
    return kHeight - kMargin - (std::log10(rate) - y0_) / (y1_ - y0_) * (kHeight - kMargin - 16);
  }
  double lowest_intensity() const { return std::pow(10, x0_); }
  double highest_intensity() const { return std::pow(10, x1_); }
  double lowest_rate() const { return std::pow(10, y0_); }
  int first_decade() const { return static_cast<int>(std::ceil(x0_)); }
  int last_decade() const { return static_cast<int>(std::floor(x1_)); }

 private:
  double x0_;
  double x1_;
  double y0_;
  double y1_;
};

std::string roofline_svg(const std::vector<Point>& points, const Roofs& roofs) {
  const Axes axes(points, roofs);
  const double ridge = roofs.flops_per_second / roofs.bytes_per_second;
  // The slope starts where it enters the chart from below.
  const double start =
      std::max(axes.lowest_intensity(), axes.lowest_rate() / roofs.bytes_per_second);
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" role=\"img\" aria-label=\"Roofline of this machine with the "
      "timed kernels\" style=\"width:100%;max-width:{0}px\" font-size=\"12\" "
      "fill=\"currentColor\">\n",
      kWidth, kHeight);
  svg += fmt::format(
      "<polyline fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" "
      "points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\"/>\n",
      axes.x(start), axes.y(start * roofs.bytes_per_second), axes.x(ridge),
      axes.y(roofs.flops_per_second), axes.x(axes.highest_intensity()),
      axes.y(roofs.flops_per_second));
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{:.4g} GFLOP/s</text>\n", axes.x(ridge) + 8,
                     axes.y(roofs.flops_per_second) - 6, roofs.flops_per_second / 1e9);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{:.4g} GB/s</text>\n", kMargin,
                     kHeight - kMargin - 6, roofs.bytes_per_second / 1e9);
  for (int decade = axes.first_decade(); decade <= axes.last_decade(); ++decade) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n",
                       axes.x(std::pow(10, decade)), kHeight - kMargin + 18, std::pow(10, decade));
  }
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">intensity, FLOP/B</text>\n",
                     kWidth / 2, kHeight - 8);
  for (const Point& point : points) {
    svg += fmt::format(
        "<circle cx=\"{0:.1f}\" cy=\"{1:.1f}\" r=\"5\" fill=\"#d9480f\"/>"
        "<text x=\"{2:.1f}\" y=\"{1:.1f}\">{3}: {4:.4g} GFLOP/s</text>\n",
        axes.x(point.intensity), axes.y(point.rate), axes.x(point.intensity) + 9,
        base::html_escaped(point.name), point.rate / 1e9);
  }
  return svg + "</svg>\n";
}

std::string row(const Verdict& v) {
  const std::string status(name_of(v.status));
  std::string details = "<p>" + base::html_escaped(v.message) + "</p>";
  if (!v.detail.empty()) details += "<pre>" + base::html_escaped(v.detail) + "</pre>";
  if (!v.output.empty())
    details += "<p>The program printed:</p><pre>" + base::html_escaped(v.output) + "</pre>";
  if (v.status != Status::kPassed) details += "<p>Read: " + base::html_escaped(v.read) + "</p>";
  const std::string earned = is_counted(v.status) ? fmt::format("{:.4g}", v.points) : "-";
  return fmt::format(
      "<tr><td>{}<br><small>{}</small></td><td class=\"{}\">{}</td><td class=\"n\">{} / {:g}</td>"
      "<td>{}</td></tr>\n",
      base::html_escaped(v.title), base::html_escaped(v.id), status.substr(0, status.find(' ')),
      status, earned, v.max_points, details);
}

}  // namespace

std::optional<Roofs> roofs_of(const std::filesystem::path& build) {
  const std::filesystem::path file = build / "machine.json";
  if (build.empty() || !std::filesystem::exists(file)) return std::nullopt;
  const roofline::Machine machine = roofline::load_machine(file);
  const roofline::Roof roof = roofline::roof_of(machine, roofline::Precision::kFp32);
  return Roofs{roof.flops_per_second, roof.bytes_per_second};
}

std::string results_html(const Results& results, const std::optional<Roofs>& roofs) {
  const std::string who = results.student.empty() ? "Results" : "Results of " + results.student;
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
      "<title>{0}</title><style>{1}</style></head><body>\n<h1>{0}</h1>\n",
      base::html_escaped(who), kStyle);
  html += fmt::format("<p><strong>{:.4g} of {:g} points</strong>{}. {} {}</p>\n", results.points(),
                      results.max_points(), results.complete ? "" : " (grading was interrupted)",
                      base::html_escaped(results.machine), base::html_escaped(results.time));
  for (const std::string& note : results.notes) {
    html += "<p>Handed in: " + base::html_escaped(note) + "</p>\n";
  }
  const std::vector<Point> points = points_of(results);
  if (roofs && !points.empty()) html += roofline_svg(points, *roofs);
  html +=
      "<table><thead><tr><th>Exercise</th><th>Status</th><th>Points</th><th>What was found"
      "</th></tr></thead><tbody>\n";
  for (const Verdict& verdict : results.verdicts) html += row(verdict);
  return html + "</tbody></table>\n</body></html>\n";
}

}  // namespace grader
