// SPDX-License-Identifier: MIT
// Figures of attention and of a layer on several GPUs: heads that share keys and values, tiles
// under the causal mask, partitioned matrices.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "figure.hpp"
#include "roofline/transformer.hpp"

namespace figures {
namespace {

FIGURE("shared_heads", [](const Sources&) {
  constexpr int kHeads = 32, kDim = 128;
  constexpr double kContext = 8192, kBytes = 2;
  struct Sharing {
    const char* name;
    int kv_heads;
  };
  Drawing drawing(318, "Query heads that share keys and values",
                  "32 query heads over 32, 8 or one head of keys and values. The fewer there are, "
                  "the fewer bytes a token leaves, and the more FLOPs are done with each.");
  constexpr double kX = 10, kCell = 12.5;
  double y = 24;
  for (const Sharing& sharing : {Sharing{"MHA", 32}, Sharing{"GQA", 8}, Sharing{"MQA", 1}}) {
    const double bytes = 2 * sharing.kv_heads * kDim * kBytes;
    const double intensity = roofline::decode_attention(1, kHeads, sharing.kv_heads, kDim, kContext,
                                                        roofline::Precision::kFp16)
                                 .intensity();
    drawing.text({kX, y}, sharing.name, {.size = kLarge, .tone = Tone::kBlue, .bold = true});
    drawing.text({kX + 54, y}, fmt::format("{:.0f} B a token and layer", bytes));
    drawing.text({410, y}, fmt::format("{:.0f} FLOP/B", intensity),
                 {.anchor = Anchor::kEnd, .bold = true});
    const int group = kHeads / sharing.kv_heads;
    for (int head = 0; head < kHeads; ++head) {
      drawing.box({kX + kCell * head, y + 12, kCell - 2.5, 16}, Tone::kBlue);
    }
    for (int head = 0; head < sharing.kv_heads; ++head) {
      const double x = kX + kCell * group * head;
      drawing.box({x, y + 38, kCell * group - 2.5, 16}, Tone::kOrange);
      const double middle = x + (kCell * group - 2.5) / 2;
      drawing.line({middle, y + 37}, {middle, y + 29}, {.tone = Tone::kSoft, .width = 1.2});
    }
    y += 94;
  }
  drawing.fill({kX, y - 14, 12, 12}, Tone::kBlue, true);
  drawing.text({kX + 18, y - 3}, "query heads", small());
  drawing.fill({kX + 128, y - 14, 12, 12}, Tone::kOrange, true);
  drawing.text({kX + 146, y - 3}, "heads of keys and values, 16 bits", small());
  return drawing;
})

FIGURE("causal_tiles", [](const Sources&) {
  constexpr int kBlocks = 8, kTile = 128;
  Drawing drawing(300, "Tiles of prefill attention under the causal mask",
                  "A square of blocks of queries by tiles of keys. Tiles below the diagonal are "
                  "computed, on it half of each is for nothing, those above are left out.");
  constexpr double kX = 42, kY = 34, kCell = 28;
  drawing.text({kX, 22}, "tiles of keys and values", small(Tone::kSoft));
  drawing.lines({8, kY + kCell * 1.5}, {"que-", "ries"}, small(Tone::kSoft));
  int computed = 0;
  for (int row = 0; row < kBlocks; ++row) {
    for (int column = 0; column < kBlocks; ++column) {
      const Box cell{kX + kCell * column, kY + kCell * row, kCell - 2, kCell - 2};
      if (column > row) {
        drawing.frame(cell);
        continue;
      }
      ++computed;
      drawing.box(cell, Tone::kBlue);
      if (column == row) {
        drawing.area({{cell.x, cell.y}, {cell.right(), cell.y}, {cell.right(), cell.bottom()}},
                     Tone::kRed);
      }
    }
  }
  const double wide = 286;
  drawing.box({wide, kY, 14, 14}, Tone::kBlue);
  drawing.text({wide + 22, kY + 12}, "computed", small());
  drawing.area({{wide, kY + 26}, {wide + 14, kY + 26}, {wide + 14, kY + 40}}, Tone::kRed);
  drawing.text({wide + 22, kY + 38}, "thrown away", small());
  drawing.frame({wide, kY + 52, 14, 14});
  drawing.text({wide + 22, kY + 64}, "left out", small());
  drawing.lines({wide, kY + 120}, {"block t reads", "t tiles of keys"}, {.size = kNormal});
  const double pairs = 0.5 * kBlocks * kTile * (kBlocks * kTile + 1);
  const double needless = 1 - pairs / (computed * double{kTile} * kTile);
  drawing.text({10, kY + kCell * kBlocks + 22},
               fmt::format("{} of {} tiles computed, {:.0f} % of their scores for nothing",
                           computed, kBlocks * kBlocks, 100 * needless));
  return drawing;
})

FIGURE("tensor_parallel", [](const Sources&) {
  Drawing drawing(372, "Two products on two ranks, and the sum behind them",
                  "Each rank has the whole input, some columns of the first matrix and the "
                  "matching rows of the second. Each gets a part of every sum, and an all-reduce "
                  "adds the parts.");
  constexpr double kWide = 176, kStep = 56, kHigh = 36;
  const auto step = [&](double y, int rank, const std::vector<std::string>& words, Tone tone) {
    const double x = rank == 0 ? 20 : 224;
    drawing.box({x, y, kWide, kHigh}, tone, words, small(Tone::kText, Anchor::kMiddle));
    drawing.arrow({x + kWide / 2, y + kHigh + 2}, {x + kWide / 2, y + kStep - 2});
  };
  for (int rank = 0; rank < 2; ++rank) {
    const std::string half = rank == 0 ? "left half" : "right half";
    const std::string rows = rank == 0 ? "upper half" : "lower half";
    drawing.text({rank == 0 ? 108.0 : 312.0, 18}, fmt::format("rank {}", rank),
                 {.anchor = Anchor::kMiddle, .bold = true});
    step(28, rank, {"x, whole"}, Tone::kPanel);
    step(28 + kStep, rank, {"times columns of A,", "the " + half}, Tone::kOrange);
    step(28 + 2 * kStep, rank, {"its half of the", "inner numbers"}, Tone::kPanel);
    step(28 + 3 * kStep, rank, {"times rows of B,", "the " + rows}, Tone::kOrange);
    step(28 + 4 * kStep, rank, {"all outputs, but only", "a part of each sum"}, Tone::kPurple);
  }
  drawing.box({20, 28 + 5 * kStep, 380, kHigh}, Tone::kGreen,
              {"all-reduce: every rank gets the sum"},
              {.size = kNormal, .anchor = Anchor::kMiddle, .bold = true});
  drawing.text({20, 362}, "Between A and B nothing is exchanged.", small(Tone::kSoft));
  return drawing;
})

}  // namespace
}  // namespace figures
