// SPDX-License-Identifier: MIT
// The figure of eight- and four-bit numbers: their bits, the values of E2M1 on a line, and blocks.
#include "roofline/llm/number_formats.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "figure.hpp"
#include "roofline/llm/format.hpp"
#include "shared.hpp"

namespace figures {
namespace {

namespace llm = roofline::llm;

constexpr double kLeft = 10;

/// Boxes for sign, exponent and fraction, with a letter in each.
void draw_bits(Drawing& drawing, double x, double y, int sign, int exponent, int fraction) {
  constexpr double kBit = 22;
  for (int bit = 0; bit < sign + exponent + fraction; ++bit) {
    const bool is_exponent = bit >= sign && bit < sign + exponent;
    const Tone tone = bit < sign ? Tone::kLine : is_exponent ? Tone::kOrange : Tone::kBlue;
    drawing.box({x + kBit * bit, y, kBit - 2, 22}, tone,
                {bit < sign    ? "S"
                 : is_exponent ? "E"
                               : "M"},
                small(Tone::kText, Anchor::kMiddle));
  }
}

/// 2 with its exponent raised.
std::string power_of_two(int exponent) {
  static const char* const kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string raised = "2";
  for (const char c : fmt::to_string(exponent)) raised += c == '-' ? "⁻" : kDigits[c - '0'];
  return raised;
}

std::string range_of(const llm::SmallFloat& format) {
  const std::vector<double> numbers = llm::magnitudes(format);
  return fmt::format("up to {}, from {}", numbers.back(), power_of_two(std::ilogb(numbers.at(1))));
}

/// A block to scale: a box for each element, then its scale. Returns where it ends.
double draw_block(Drawing& drawing, double x, double y, int elements) {
  constexpr double kElement = 11;  // for four bits
  for (int i = 0; i < elements; ++i) {
    drawing.box({x + kElement * i, y, kElement - 1, 24}, Tone::kBlue);
  }
  const double end = x + kElement * elements;
  drawing.box({end, y, 2 * kElement - 1, 24}, Tone::kOrange);
  return end + 2 * kElement;
}

FIGURE("number_formats", [](const Sources&) {
  Drawing drawing(430, "Numbers of eight and four bits",
                  "Which bits E4M3, E5M2, E2M1 and E8M0 have, the eight magnitudes of E2M1 on a "
                  "line, and blocks of MXFP4 and NVFP4 with their scales.");
  struct Named {
    const char* name;
    int sign;
    int exponent;
    int fraction;
    std::string range;
  };
  const std::vector<Named> formats = {
      {"E4M3", 1, 4, 3, range_of(llm::kE4m3)},
      {"E5M2", 1, 5, 2, range_of(llm::kE5m2)},
      {"E2M1", 1, 2, 1, range_of(llm::kE2m1)},
      {"E8M0", 0, 8, 0, power_of_two(-127) + " to " + power_of_two(127)}};
  double y = 10;
  for (const Named& one : formats) {
    drawing.text({kLeft, y + 16}, one.name, {.bold = true});
    draw_bits(drawing, 62, y, one.sign, one.exponent, one.fraction);
    const bool is_short = one.sign + one.exponent + one.fraction < 8;
    drawing.text({is_short ? 160.0 : 246.0, y + 16}, one.range, small());
    y += 32;
  }

  // The values of E2M1, and what 7.68 becomes.
  const auto x_of = [](double value) { return 30 + 46 * value; };
  y = 216;
  drawing.text({kLeft, y - 46}, "E2M1: eight magnitudes, spaced 0.5, 1 and 2", {.bold = true});
  drawing.line({x_of(0), y}, {x_of(8), y}, {.tone = Tone::kLine});
  for (const double value : llm::magnitudes(llm::kE2m1)) {
    drawing.dot({x_of(value), y}, Tone::kBlue);
    drawing.text({x_of(value), y + 20}, trimmed(value, 1), small(Tone::kText, Anchor::kMiddle));
  }
  constexpr double kCutOff = 7.68;
  drawing.dot({x_of(kCutOff), y}, Tone::kOrange);
  drawing.text({x_of(kCutOff), y + 20}, trimmed(kCutOff, 2), small(Tone::kOrange, Anchor::kMiddle));
  drawing.path({{x_of(kCutOff), y - 8}, {x_of(kCutOff), y - 22}, {x_of(6), y - 22}},
               {.tone = Tone::kOrange});
  drawing.arrow({x_of(6), y - 22}, {x_of(6), y - 6}, {.tone = Tone::kOrange});
  drawing.text({x_of(6) - 8, y - 18}, "cut off", small(Tone::kOrange, Anchor::kEnd));

  const auto bits = [](const char* format) {
    return trimmed(llm::parse_format(format).bits_per_element, 2);
  };
  y = 284;
  drawing.text({kLeft, y - 10},
               fmt::format("MXFP4: 32 elements, a scale in E8M0; {} bits", bits("fp4/32:8")),
               {.bold = true});
  draw_block(drawing, kLeft, y, 32);
  y += 64;
  drawing.text({kLeft, y - 10},
               fmt::format("NVFP4: 16 elements, a scale in E4M3; {} bits", bits("fp4/16:8")),
               {.bold = true});
  draw_block(drawing, draw_block(drawing, kLeft, y, 16) + 6, y, 16);
  drawing.text({kLeft, y + 46}, "and one FP32 scale for the whole tensor", small());
  drawing.fill({kLeft, y + 60, 12, 12}, Tone::kBlue, true);
  drawing.text({kLeft + 17, y + 70}, "element, 4 bits", small());
  drawing.fill({150, y + 60, 12, 12}, Tone::kOrange, true);
  drawing.text({167, y + 70}, "scale, 8 bits", small());
  return drawing;
})

// --- One block under two kinds of scale ---

FIGURE("block_scales", [](const Sources&) {
  const std::vector<double> elements = llm::magnitudes(llm::kE2m1);
  struct Kind {
    std::string name;
    double scale;
  };
  const std::vector<Kind> kinds = {{"MXFP4: the scale is a power of two",
                                    llm::power_of_two_scale(docs::kBlock.back(), elements)},
                                   {"NVFP4: the scale has a fraction", docs::nvfp4_scale()}};
  Drawing drawing(222, "Four weights over two kinds of scale",
                  "Each weight over its scale goes to the nearest number of E2M1. Over the power "
                  "of two the largest lies at 7.68 and is cut off at 6; over the scale with a "
                  "fraction it lies next to 6.");
  const auto x_of = [](double value) { return 22 + 48 * value; };
  double y = 76;
  for (const Kind& kind : kinds) {
    drawing.text({kLeft, y - 58}, kind.name, {.bold = true});
    drawing.line({x_of(0), y}, {x_of(8), y}, {.tone = Tone::kLine});
    for (const double value : elements) {
      drawing.dot({x_of(value), y}, Tone::kBlue);
      drawing.text({x_of(value), y + 19}, trimmed(value, 1), small(Tone::kSoft, Anchor::kMiddle));
    }
    for (const double weight : docs::kBlock) {
      const double scaled = std::abs(weight) / kind.scale;
      const double stored = llm::nearest(elements, scaled);
      const bool is_cut = scaled > 7;  // a step of 2 from 4 on: rounding alone changes it by 1
      const Tone tone = is_cut ? Tone::kRed : Tone::kOrange;
      drawing.text({x_of(scaled), y - 34}, trimmed(scaled, 2), small(tone, Anchor::kMiddle));
      drawing.arrow({x_of(scaled), y - 28}, {x_of(stored), y - 5}, {.tone = tone});
    }
    y += 104;
  }
  drawing.text({kLeft, 216}, "orange: a weight over its scale; red: cut off", small(Tone::kSoft));
  return drawing;
})

}  // namespace
}  // namespace figures
