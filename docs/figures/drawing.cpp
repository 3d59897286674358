// SPDX-License-Identifier: MIT
// Writes the SVG. Every figure contains the style sheet, because a page embeds it as an image.
#include "drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/html.hpp"

namespace figures {
namespace {

// Light colours first. Paper is always light.
constexpr const char* kStyle = R"(
:root { --page: #ffffff; --text: #1f2933; --soft: #52606d; --line: #9aa5b1; --panel: #f1f4f7;
  --blue: #0b5cad; --blue-fill: #dbeafa; --orange: #a85400; --orange-fill: #fbe6d2;
  --green: #1a7340; --green-fill: #d8f0df; --purple: #7a3e9d; --purple-fill: #eee0f7;
  --red: #b3261e; --red-fill: #fbdedb; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #15191e; --text: #e4e9ee;
  --soft: #a3b1bf; --line: #5f6d7a; --panel: #222a32;
  --blue: #7cb8f5; --blue-fill: #17395c; --orange: #f0a860; --orange-fill: #54360f;
  --green: #7fd49b; --green-fill: #17482a; --purple: #cf9df0; --purple-fill: #44265c;
  --red: #ff9a8f; --red-fill: #5c201b; } }
text { font-family: "Inter", "Source Sans 3", "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
.mono { font-family: "JetBrains Mono", "DejaVu Sans Mono", "Liberation Mono", monospace; }
.bold { font-weight: 600; }
path, line { fill: none; stroke-linecap: round; stroke-linejoin: round; }
)";

constexpr std::array kTones = {"text",   "soft",  "line",   "panel", "blue",
                               "orange", "green", "purple", "red"};

std::string_view name(Tone tone) {
  return kTones[static_cast<std::size_t>(tone)];
}

/// A tone is a colour for text and lines; areas use a lighter one of the same name.
std::string colour(Tone tone) {
  return fmt::format("var(--{})", name(tone));
}
std::string light(Tone tone) {
  const bool has_fill = tone >= Tone::kBlue;
  if (tone == Tone::kPanel || tone == Tone::kLine) return colour(tone);
  return has_fill ? fmt::format("var(--{}-fill)", name(tone)) : "var(--panel)";
}

std::string number(double value) {
  return trimmed(value, 1);
}

std::string stroke_attributes(const Stroke& stroke) {
  return fmt::format(" stroke=\"{}\" stroke-width=\"{}\"{}", colour(stroke.tone),
                     number(stroke.width), stroke.dashed ? " stroke-dasharray=\"4 4\"" : "");
}

std::string path_data(const std::vector<Point>& points) {
  std::string data;
  for (const Point& point : points) {
    data += fmt::format("{}{} {}", data.empty() ? "M" : "L", number(point.x), number(point.y));
  }
  return data;
}

}  // namespace

Drawing::Drawing(double height, std::string title, std::string description)
    : height_(height), title_(std::move(title)), description_(std::move(description)) {}

void Drawing::text(Point at, std::string_view words, const Text& style) {
  static constexpr std::array kAnchors = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  std::string classes = style.bold ? "bold" : "";
  if (style.mono) classes += classes.empty() ? "mono" : " mono";
  if (!classes.empty()) classes = " class=\"" + classes + "\"";
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{}{}>{}</text>\n",
                       number(at.x), number(at.y), number(style.size), colour(style.tone),
                       kAnchors[static_cast<std::size_t>(style.anchor)], classes,
                       base::html_escaped(std::string(words)));
}

void Drawing::lines(Point at, const std::vector<std::string>& lines, const Text& style) {
  constexpr double kLead = 1.25;        // of the size, between lines
  constexpr double kBelowMiddle = .36;  // of the size, from letters' middle to baseline
  const double above = static_cast<double>(lines.size() - 1) / 2 * kLead * style.size;
  double y = at.y - above + kBelowMiddle * style.size;
  for (const std::string& line : lines) {
    text({at.x, y}, line, style);
    y += kLead * style.size;
  }
}

void Drawing::box(const Box& box, Tone tone, const std::vector<std::string>& label,
                  const Text& style) {
  const Tone border = tone == Tone::kPanel ? Tone::kLine : tone;
  body_ += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"{}\" stroke=\"{}\"/>\n",
      number(box.x), number(box.y), number(box.width), number(box.height), light(tone),
      colour(border));
  if (label.empty()) return;
  const Point centre = box.centre();
  const double x = style.anchor == Anchor::kStart ? box.x + 8
                   : style.anchor == Anchor::kEnd ? box.right() - 8
                                                  : centre.x;
  lines({x, centre.y}, label, style);
}

void Drawing::frame(const Box& box, const Stroke& stroke) {
  body_ +=
      fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"none\"{}/>\n",
                  number(box.x), number(box.y), number(box.width), number(box.height),
                  stroke_attributes(stroke));
}

void Drawing::fill(const Box& box, Tone tone, bool strong) {
  body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                       number(box.x), number(box.y), number(box.width), number(box.height),
                       strong ? colour(tone) : light(tone));
}

void Drawing::line(Point from, Point to, const Stroke& stroke) {
  path({from, to}, stroke);
}

void Drawing::path(const std::vector<Point>& points, const Stroke& stroke) {
  body_ += fmt::format("<path d=\"{}\"{}/>\n", path_data(points), stroke_attributes(stroke));
}

void Drawing::area(const std::vector<Point>& points, Tone tone) {
  body_ += fmt::format("<path d=\"{}Z\" style=\"fill: {}\"/>\n", path_data(points), light(tone));
}

void Drawing::arrow(Point from, Point to, const Stroke& stroke) {
  constexpr double kHead = 7;
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const Point along{(to.x - from.x) / length, (to.y - from.y) / length};
  const Point base{to.x - kHead * along.x, to.y - kHead * along.y};
  line(from, base, stroke);
  constexpr double kHalf = kHead / 2;
  body_ += fmt::format("<path d=\"{}Z\" style=\"fill: {}\"/>\n",
                       path_data({to,
                                  {base.x - kHalf * along.y, base.y + kHalf * along.x},
                                  {base.x + kHalf * along.y, base.y - kHalf * along.x}}),
                       colour(stroke.tone));
}

void Drawing::dot(Point at, Tone tone, double radius) {
  body_ +=
      fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" stroke=\"var(--page)\"/>\n",
                  number(at.x), number(at.y), number(radius), colour(tone));
}

std::string Drawing::svg() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" role=\"img\" aria-labelledby=\"title description\">\n"
      "<title id=\"title\">{2}</title>\n<desc id=\"description\">{3}</desc>\n<style>{4}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"var(--page)\"/>\n{5}</svg>\n",
      number(kWidth), number(height_), base::html_escaped(title_), base::html_escaped(description_),
      kStyle, body_);
}

std::string trimmed(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, decimals);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string with_prefix(double value, double step) {
  static constexpr std::array kPrefixes = {"", "k", "M", "G", "T", "P"};
  std::size_t prefix = 0;
  while (std::abs(value) >= step * (1 - 1e-9) && prefix + 1 < kPrefixes.size()) {
    value /= step;
    ++prefix;
  }
  const int decimals = value < 10 ? 1 : 0;
  if (step == 1000 || prefix == 0) {
    return fmt::format("{} {}", trimmed(value, decimals), kPrefixes[prefix]);
  }
  const std::string_view symbol = prefix == 1 ? "K" : kPrefixes[prefix];
  return fmt::format("{} {}i", trimmed(value, decimals), symbol);
}

}  // namespace figures
