// SPDX-License-Identifier: MIT
// Draws one figure as an SVG that readers can look at on a desktop, on a phone, in the dark and on
// paper: text stays text, colours have names and follow the reader's scheme.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace figures {

/// All figures have this width, in the units of their coordinates. At 375 pixels, the width of a
/// small phone, a text of kSmall is 11 pixels high; tests/docs/figures.cpp measures it.
inline constexpr double kWidth = 420;
inline constexpr double kSmall = 12.5;
inline constexpr double kNormal = 13.5;
inline constexpr double kLarge = 15;

/// What a colour says; what it looks like is the style sheet's business.
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

struct Stroke {
  Tone tone = Tone::kText;
  double width = 1.5;
  bool dashed = false;
};

class Drawing {
 public:
  /// @param title what the figure is called by those who cannot see it
  /// @param description what it shows, in a sentence or two
  Drawing(double height, std::string title, std::string description);

  double height() const { return height_; }

  /// The point is on the base line.
  void text(Point at, std::string_view words, const Text& style = {});
  /// Lines of text, their middle at `at`.
  void lines(Point at, const std::vector<std::string>& lines, const Text& style = {});
  /// A filled box with a border of the same tone, and lines of text in its middle.
  void box(const Box& box, Tone tone, const std::vector<std::string>& label = {},
           const Text& style = {.size = kNormal, .anchor = Anchor::kMiddle});
  /// A border without a fill.
  void frame(const Box& box, const Stroke& stroke = {.tone = Tone::kLine});
  /// Without a border, in the tone's full colour where `strong`.
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

/// So many decimals at most, and none that are 0: 4.5, 12.
std::string trimmed(double value, int decimals);
/// Three digits and a unit prefix: 4.6 T, 256 K; `step` between prefixes is 1000 or 1024.
std::string with_prefix(double value, double step = 1000);

}  // namespace figures
