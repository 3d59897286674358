// SPDX-License-Identifier: MIT
// Draws one figure as an SVG for desktop, phone, dark mode and paper: text stays text, colours have
// names and follow the reader's colour scheme.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace figures {

/// All figures have this width, in the units of their coordinates. At 375 pixels, the width of a
/// small phone, text of size kSmall is 11 pixels high; tests/docs/figures.cpp measures it.
inline constexpr double kWidth = 420;
inline constexpr double kSmall = 12.5;
inline constexpr double kNormal = 13.5;
inline constexpr double kLarge = 15;

/// The meaning of a colour; its appearance is defined in the style sheet.
enum class Tone { kText, kSoft, kLine, kPanel, kBlue, kOrange, kGreen, kPurple, kRed };

enum class Anchor { kStart, kMiddle, kEnd };

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  Point centre() const { return {x + width / 2, y + height / 2}; }
};

struct Text {
  double size = kNormal;
  Anchor anchor = Anchor::kStart;
  Tone tone = Tone::kText;
  bool bold = false;
  bool mono = false;
};
/// The style of most words beside what is drawn.
constexpr Text small(Tone tone = Tone::kText, Anchor anchor = Anchor::kStart) {
  return {.size = kSmall, .anchor = anchor, .tone = tone};
}

struct Stroke {
  Tone tone = Tone::kText;
  double width = 1.5;
  bool dashed = false;
};

class Drawing {
 public:
  /// @param title the name of the figure for readers who cannot see it
  /// @param description what it shows, in one or two sentences
  Drawing(double height, std::string title, std::string description);

  double height() const { return height_; }

  /// The point is on the baseline.
  void text(Point at, std::string_view words, const Text& style = {});
  /// Lines of text, centred at `at`.
  void lines(Point at, const std::vector<std::string>& lines, const Text& style = {});
  /// A filled box with a border of the same tone, and lines of text in its centre.
  void box(const Box& box, Tone tone, const std::vector<std::string>& label = {},
           const Text& style = {.size = kNormal, .anchor = Anchor::kMiddle});
  /// A border without fill.
  void frame(const Box& box, const Stroke& stroke = {.tone = Tone::kLine});
  /// A fill without border, in the tone's full colour if `strong`.
  void fill(const Box& box, Tone tone, bool strong = false);
  void line(Point from, Point to, const Stroke& stroke = {});
  void path(const std::vector<Point>& points, const Stroke& stroke = {});
  /// An area between points, filled lightly.
  void area(const std::vector<Point>& points, Tone tone);
  void arrow(Point from, Point to, const Stroke& stroke = {.tone = Tone::kSoft});
  void dot(Point at, Tone tone, double radius = 4);

  std::string svg() const;

 private:
  double height_;
  std::string title_;
  std::string description_;
  std::string body_;
};

/// At most this many decimals, without trailing zeros: 4.5, 12.
std::string trimmed(double value, int decimals);
/// Three digits and a unit prefix: 4.6 T, 256 K; `step` between prefixes is 1000 or 1024.
std::string with_prefix(double value, double step = 1000);

}  // namespace figures
