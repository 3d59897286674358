// SPDX-License-Identifier: MIT
// Figures of reuse and of number formats: a stencil's neighbours, the tiles of a matrix product
// level by level, and the bits of each format.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "figure.hpp"
#include "roofline/bounds.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/precision.hpp"

namespace figures {
namespace {

constexpr double kFloatBytes = 4;

// --- Stencil ---

FIGURE("stencil_reuse", [](const Sources&) {
  constexpr int kColumns = 11, kRows = 6, kRow = 3, kColumn = 6;
  constexpr double kCell = 24;
  const roofline::Operation cached =
      roofline::stencil(1, 5, roofline::Precision::kFp32, roofline::StencilReuse::kPerfect);
  const roofline::Operation uncached =
      roofline::stencil(1, 5, roofline::Precision::kFp32, roofline::StencilReuse::kNone);
  Drawing drawing(
      262, "Reuse in a five-point stencil",
      "A grid that is swept row by row. The stencil at one point reads five values: four "
      "are in cache because neighbours have read them, one comes from memory.");
  const auto cell = [&](int row, int column) {
    return Box{10 + kCell * column, 34 + kCell * row, kCell, kCell};
  };
  drawing.text({10, 22}, "the sweep goes along rows", small(Tone::kSoft));
  drawing.arrow({190, 18}, {274, 18});
  for (int row = 0; row < kRows; ++row) {
    for (int column = 0; column < kColumns; ++column) {
      // Read so far: everything that the points before this one needed.
      const bool is_read = row < kRow + 1 || (row == kRow + 1 && column < kColumn);
      const bool is_kept = is_read && (row > kRow - 1 || (row == kRow - 1 && column >= kColumn));
      drawing.box(cell(row, column), is_kept ? Tone::kGreen : Tone::kPanel);
    }
  }
  const auto mark = [&](int row, int column, const char* word, Tone tone) {
    drawing.box(cell(row, column), tone, {word},
                {.size = kNormal, .anchor = Anchor::kMiddle, .tone = tone, .bold = true});
  };
  mark(kRow - 1, kColumn, "n", Tone::kGreen);
  mark(kRow, kColumn - 1, "w", Tone::kGreen);
  mark(kRow, kColumn, "c", Tone::kGreen);
  mark(kRow, kColumn + 1, "e", Tone::kGreen);
  mark(kRow + 1, kColumn, "s", Tone::kOrange);
  for (const auto& [row, column] : {std::pair{kRow - 1, kColumn},
                                    {kRow, kColumn - 1},
                                    {kRow, kColumn},
                                    {kRow, kColumn + 1},
                                    {kRow + 1, kColumn}}) {
    const Box box = cell(row, column);
    drawing.frame({box.x + 1, box.y + 1, box.width - 2, box.height - 2},
                  {.tone = row > kRow ? Tone::kOrange : Tone::kGreen, .width = 2.5});
  }
  const double x = 286;
  drawing.fill({x, 50, 14, 14}, Tone::kGreen, true);
  drawing.lines({x + 20, 57}, {"kept: two rows"}, small());
  drawing.fill({x, 76, 14, 14}, Tone::kOrange, true);
  drawing.lines({x + 20, 83}, {"from memory"}, small());
  drawing.lines({x, 134}, {"Grey rows above are", "no longer needed,", "those below not yet."},
                small(Tone::kSoft));
  const auto sentence = [](const roofline::Operation& op) {
    return fmt::format("{:.0f} FLOPs over {:.0f} B: {} FLOP/B", op.flops, op.bytes(),
                       trimmed(op.intensity(), 3));
  };
  drawing.text({10, 214}, "neighbours kept:", {.tone = Tone::kGreen, .bold = true});
  drawing.text({160, 214}, sentence(cached));
  drawing.text({10, 240}, "nothing kept:", {.tone = Tone::kRed, .bold = true});
  drawing.text({160, 240}, sentence(uncached));
  return drawing;
})

// --- Tiles ---

FIGURE("product_tiles", [](const Sources&) {
  // The tiles of solutions/03-roofline-modeling/code/gemm_vectorised.cu on a GPU.
  struct Level {
    const char* name;
    const char* where;
    const char* from;
    double rows, columns;
    Tone tone;
  };
  const std::vector<Level> levels = {{"block", "shared memory", "from L2", 128, 128, Tone::kOrange},
                                     {"warp", "", "from shared memory", 32, 64, Tone::kBlue},
                                     {"thread", "registers", "into registers", 8, 8, Tone::kGreen}};
  Drawing drawing(
      466, "A matrix product, tile by tile",
      "Three levels of tiles: the tile of a block is cut into tiles of warps, these into "
      "tiles of threads. Each tile of C needs a strip of rows of A and a strip of columns of B; "
      "the larger the tile, the "
      "more FLOPs for each byte.");
  constexpr double kSide = 92, kGap = 8, kStrip = 20, kStep = 158;
  double y = 12;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Level& level = levels[i];
    const Level* outer = i > 0 ? &levels[i - 1] : nullptr;
    // C, with A to its left and B above it.
    const Box c{10 + kStrip + kGap, y + kStrip + kGap, kSide, kSide};
    const double all_rows = outer != nullptr ? outer->rows : 4 * level.rows;
    const double all_columns = outer != nullptr ? outer->columns : 4 * level.columns;
    const double across = all_columns / level.columns, down = all_rows / level.rows;
    drawing.box(c, outer != nullptr ? outer->tone : Tone::kPanel);
    drawing.box({10, c.y, kStrip, kSide}, Tone::kPanel);
    drawing.box({c.x, y, kSide, kStrip}, Tone::kPanel);
    for (int line = 1; line < across; ++line) {
      const double at = c.x + kSide * line / across;
      drawing.line({at, c.y}, {at, c.bottom()}, {.tone = Tone::kLine, .width = 0.7});
    }
    for (int line = 1; line < down; ++line) {
      const double at = c.y + kSide * line / down;
      drawing.line({c.x, at}, {c.right(), at}, {.tone = Tone::kLine, .width = 0.7});
    }
    const int row = down > 1 ? 1 : 0, column = across > 1 ? 1 : 0;
    const Box mine{c.x + kSide * column / across, c.y + kSide * row / down, kSide / across,
                   kSide / down};
    drawing.box(mine, level.tone);
    drawing.fill(mine, level.tone, true);
    drawing.fill({10, mine.y, kStrip, mine.height}, level.tone, true);
    drawing.fill({mine.x, y, mine.width, kStrip}, level.tone, true);
    if (i + 1 < levels.size()) {
      drawing.arrow({mine.x + mine.width / 2, c.bottom() + 3},
                    {mine.x + mine.width / 2, y + kStep - 4}, {.tone = level.tone});
    }
    const double x = 158;
    const double intensity = roofline::arithmetic_intensity(
        2 * level.rows * level.columns, kFloatBytes * (level.rows + level.columns));
    drawing.text({x, y + 34},
                 fmt::format("{}: {:.0f} x {:.0f} of C", level.name, level.rows, level.columns),
                 {.size = kLarge, .tone = level.tone, .bold = true});
    drawing.text({x, y + 58},
                 fmt::format("a step takes {:.0f} + {:.0f} numbers", level.rows, level.columns));
    drawing.text({x, y + 78},
                 fmt::format("{} and does {:.0f}", level.from, level.rows * level.columns));
    drawing.text({x, y + 98}, "multiply-adds:");
    drawing.text({x + 112, y + 99}, fmt::format("{} FLOP/B", trimmed(intensity, 1)),
                 {.size = kLarge, .bold = true});
    y += kStep;
  }
  return drawing;
})

// --- Number formats ---

FIGURE("precision_formats", [](const Sources&) {
  struct Format {
    roofline::Precision precision;
    int sign, exponent, mantissa;
    const char* note;
  };
  // IEEE 754 (FP64 to FP16), bfloat16, NVIDIA's TF32, and the OCP formats FP8 (E4M3), FP6 (E2M3),
  // FP4 (E2M1).
  const std::vector<Format> formats = {
      {roofline::Precision::kFp32, 1, 8, 23, ""},   {roofline::Precision::kTf32, 1, 8, 10, ""},
      {roofline::Precision::kBf16, 1, 8, 7, ""},    {roofline::Precision::kFp16, 1, 5, 10, ""},
      {roofline::Precision::kFp8, 1, 4, 3, "E4M3"}, {roofline::Precision::kInt8, 1, 0, 7, ""},
      {roofline::Precision::kFp4, 1, 2, 1, "E2M1"}, {roofline::Precision::kInt4, 1, 0, 3, ""}};
  constexpr double kBit = 10.6, kLeft = 56, kStep = 36;
  Drawing drawing(50 + kStep * static_cast<double>(formats.size()), "Number formats bit by bit",
                  "Sign, exponent and fraction of the formats from FP32 to INT4. The exponent sets "
                  "the range, the fraction the precision.");
  struct Key {
    const char* name;
    Tone tone;
    double x;
  };
  const Key keys[] = {{"sign", Tone::kLine, kLeft},
                      {"exponent: range", Tone::kOrange, kLeft + 62},
                      {"fraction: precision", Tone::kBlue, kLeft + 200}};
  for (const Key& key : keys) {
    drawing.fill({key.x, 10, 12, 12}, key.tone, true);
    drawing.text({key.x + 17, 20}, key.name, small());
  }
  double y = 36;
  for (const Format& format : formats) {
    const int bits = format.sign + format.exponent + format.mantissa;
    drawing.text({8, y + 17}, roofline::display_name(format.precision), {.bold = true});
    for (int bit = 0; bit < bits; ++bit) {
      const Tone tone = bit < format.sign                     ? Tone::kLine
                        : bit < format.sign + format.exponent ? Tone::kOrange
                                                              : Tone::kBlue;
      drawing.box({kLeft + kBit * bit, y + 2, kBit - 1, 20}, tone);
    }
    const double after = kLeft + kBit * bits + 10;
    if (bits < 30) {
      const std::string what = format.exponent > 0
                                   ? fmt::format("{} + {} + {} = {} bits", format.sign,
                                                 format.exponent, format.mantissa, bits)
                                   : fmt::format("{} bits, whole numbers", bits);
      drawing.text({after, y + 17},
                   format.note[0] != '\0' ? fmt::format("{}, {}", what, format.note) : what,
                   small(Tone::kSoft));
    }
    y += kStep;
  }
  return drawing;
})

}  // namespace
}  // namespace figures
