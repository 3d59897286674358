// SPDX-License-Identifier: MIT
// A warp that reads a column of a tile from the banks of shared memory.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "figure.hpp"
#include "h200.hpp"
#include "plot.hpp"
#include "roofline/machine.hpp"
#include "vgpu/geometry.hpp"

namespace figures {
namespace {

/// Passes over the banks that a warp needs when lane i reads word `word(i)` of shared memory.
int passes_of(const vgpu::Geometry& geometry, const std::function<int(int)>& word) {
  std::map<int, std::set<int>> words_of_bank;
  for (int lane = 0; lane < geometry.lanes; ++lane) {
    words_of_bank[word(lane) % geometry.banks].insert(word(lane));
  }
  std::size_t most = 0;
  for (const auto& [bank, words] : words_of_bank) most = std::max(most, words.size());
  return static_cast<int>(most);
}

FIGURE("bank_conflicts", [](const Sources& sources) {
  const vgpu::Geometry geometry = roofline::geometry_of(sources.machine("h200-sxm"));
  struct Case {
    const char* name;
    const char* code;
    std::function<int(int, int)> word;  ///< from row and column of the tile
    const char* pattern;
    Tone tone;
  };
  constexpr int kSide = 32, kShown = 8, kColumn = 1;
  const std::vector<Case> cases = {
      {"plain", "tile[row][column]", [](int row, int column) { return kSide * row + column; },
       "transpose, tiled", Tone::kRed},
      {"padded", "rows of 33 words", [](int row, int column) { return (kSide + 1) * row + column; },
       "transpose, padded", Tone::kGreen},
      {"swizzled", "column ^ row", [](int row, int column) { return kSide * row + (column ^ row); },
       "transpose, swizzled", Tone::kGreen}};
  Drawing drawing(
      332, "Bank conflicts of a column, and two cures",
      "Where the words of one column of a tile lie among the banks of shared memory: in "
      "one bank without a cure, each in a bank of its own with a padded row or with "
      "columns that are exchanged by an exclusive or.");
  drawing.text({10, 20},
               fmt::format("8 of {} rows and banks of a tile. Marked: column {},", kSide, kColumn),
               {.size = kSmall, .tone = Tone::kSoft});
  drawing.text({10, 37}, "which the lanes of a warp read together. Numbers: column.",
               {.size = kSmall, .tone = Tone::kSoft});
  constexpr double kCell = 16.2, kWidthOfCase = 136;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& one = cases[i];
    const int passes = passes_of(geometry, [&](int lane) { return one.word(lane, kColumn); });
    const double counted = on_virtual_gpu(sources, one.pattern, "shared load wavefronts") /
                           on_virtual_gpu(sources, one.pattern, "load requests");
    if (std::abs(counted - passes) > 1e-6) throw std::runtime_error("the virtual GPU differs");
    const double x = 10 + kWidthOfCase * static_cast<double>(i);
    drawing.text({x, 66}, one.name, {.size = kLarge, .bold = true});
    drawing.text({x, 86}, one.code, {.size = kSmall, .tone = Tone::kSoft});
    drawing.text({x, 110}, "bank", {.size = kSmall, .tone = Tone::kSoft});
    for (int bank = 0; bank < kShown; ++bank) {
      drawing.text({x + kCell * (bank + 0.5), 128}, std::to_string(bank),
                   {.size = kSmall, .anchor = Anchor::kMiddle, .tone = Tone::kSoft});
    }
    // Row by row: which column is in a bank. Found by trying all, so any mapping can be drawn.
    for (int row = 0; row < kShown; ++row) {
      for (int column = 0; column < kSide; ++column) {
        const int bank = one.word(row, column) % geometry.banks;
        if (bank >= kShown) continue;
        const Box cell{x + kCell * bank, 134 + 20.0 * row, kCell, 20};
        const bool marked = column == kColumn;
        drawing.box(cell, marked ? one.tone : Tone::kPanel);
        if (column >= kShown) continue;  // from the row's end, moved here by padding
        drawing.lines(cell.centre(), {std::to_string(column)},
                      {.size = kSmall,
                       .anchor = Anchor::kMiddle,
                       .tone = marked ? one.tone : Tone::kSoft,
                       .bold = marked});
      }
    }
    drawing.text({x, 318}, passes == 1 ? "1 pass" : fmt::format("{} passes", passes),
                 {.size = kLarge, .tone = one.tone, .bold = true});
  }
  return drawing;
})

FIGURE("row_lengths", [](const Sources& sources) {
  const vgpu::Geometry geometry = roofline::geometry_of(sources.machine("h200-sxm"));
  constexpr int kFirst = 24, kLast = 48, kTile = 32, kMost = 32;
  Drawing drawing(270, "Passes over the banks for a column, by the length of the tile's rows",
                  "A warp that reads a column needs 32 passes when rows have 32 words, 16 with 48, "
                  "and one pass whenever the length is odd.");
  const Box area{44, 40, 362, 180};
  Plot plot(drawing, area,
            {"words in a row of the tile", kFirst - 0.8, kLast + 0.8, false,
             ticks({24, 28, 32, 36, 40, 44, 48})},
            {"passes over the banks", 0.7, 45, true, ticks({1, 2, 4, 8, 16, 32})});
  const double width = 0.6 * area.width / (kLast - kFirst + 1);
  for (int words = kFirst; words <= kLast; ++words) {
    const int passes = passes_of(geometry, [&](int lane) { return words * lane; });
    const Tone tone = passes == 1 ? Tone::kGreen : words == kTile ? Tone::kRed : Tone::kOrange;
    const Point top = plot.at(words, passes);
    drawing.fill({top.x - width / 2, top.y, width, area.bottom() - top.y}, tone, true);
    if (words == kTile) {
      plot.label({kTile, kMost}, {12, 4}, "32 words: 32 passes",
                 {.size = kNormal, .tone = tone, .bold = true});
    }
  }
  plot.label({kTile + 1, 12}, {4, 4}, "odd, such as 33: one pass",
             {.size = kNormal, .tone = Tone::kGreen});
  return drawing;
})

}  // namespace
}  // namespace figures
