// SPDX-License-Identifier: MIT
// Figures of topics 01 to 03: one matrix in prefill and in decode, BLAS performance over the size,
// a tree of additions, the cost of a launch, 2:4 sparsity, tiles on a matrix unit, and the time of
// a block.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "figure.hpp"
#include "plot.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/transformer.hpp"
#include "shared.hpp"

namespace figures {
namespace {

using namespace base::prefixes;

// --- Topic 01 ---

FIGURE("weight_use", [](const Sources& sources) {
  using namespace roofline;
  constexpr Precision kFp16 = Precision::kFp16;
  constexpr double kSide = 4096, kTokens = 8 * 2048;
  struct Phase {
    const char* name;
    const char* used;
    double intensity;
    int rows;  ///< of the drawn input
    Tone tone;
  };
  const std::array<Phase, 2> phases = {
      {{"decode: one token", "once", gemv(3 * kSide, kSide, kFp16).intensity(), 1, Tone::kOrange},
       {"prefill: 8 prompts of 2048 tokens", "16384 times",
        gemm(kTokens, 3 * kSide, kSide, kFp16).intensity(), 8, Tone::kBlue}}};
  const double ridge = roofline::ridge(roof_of(sources.machine("a100-80gb-sxm"), kFp16));
  Drawing drawing(
      326, "One matrix in prefill and in decode",
      "In decode each fetched weight is used once, in prefill 16384 times. On an axis of "
      "FLOPs per byte decode lies far left of an A100's ridge, prefill right of it.");
  constexpr double kRow = 100, kInput = 12, kMatrix = 112;
  double y = 8;
  for (const Phase& phase : phases) {
    drawing.text({10, y + 14}, phase.name, {.size = kNormal, .tone = phase.tone, .bold = true});
    const double middle = y + 55;
    for (int row = 0; row < phase.rows; ++row) {
      drawing.fill({kInput, middle + 7.0 * row - 3.5 * phase.rows + 1, 62, 5}, phase.tone, true);
    }
    drawing.arrow({kInput + 68, middle}, {kMatrix - 5, middle});
    drawing.box({kMatrix, middle - 28, 130, 56}, Tone::kGreen,
                {"3 x 4096 x 4096", "weights, fetched"});
    drawing.lines({334, middle - 8}, {"each used", phase.used}, {.anchor = Anchor::kMiddle});
    drawing.text({334, middle + 28},
                 fmt::format("{:.{}f} FLOP/B", phase.intensity, phase.intensity < 10 ? 1 : 0),
                 {.size = kLarge, .anchor = Anchor::kMiddle, .tone = phase.tone, .bold = true});
    y += kRow;
  }
  Plot plot(drawing, {20, y + 14, 380, 56},
            {"FLOP per byte", 0.3, 8000, true, ticks({1, 10, 100, 1000})}, {"", 0, 1, false, {}});
  plot.line({{ridge, 0}, {ridge, 1}}, {.tone = Tone::kPurple, .dashed = true});
  plot.label({ridge, 1}, {-8, 14}, "memory is the limit", small(Tone::kOrange, Anchor::kEnd));
  plot.label({ridge, 1}, {8, 14}, "arithmetic is the limit", small(Tone::kBlue));
  plot.label({ridge, 0}, {-8, -10}, fmt::format("an A100's ridge, {:.0f}", ridge),
             small(Tone::kPurple, Anchor::kEnd));
  for (const Phase& phase : phases) plot.dots({{phase.intensity, 0.45}}, phase.tone, 6);
  return drawing;
})

FIGURE("blas_levels", [](const Sources& sources) {
  using namespace roofline;
  constexpr double kLeast = 16, kMost = 16384;
  constexpr Precision kFp32 = Precision::kFp32;
  const double ridge = roofline::ridge(roof_of(sources.machine("a100-80gb-sxm"), kFp32));
  Drawing drawing(322, "Intensity of BLAS over the size",
                  "Dot product and matrix times vector stay below 1 FLOP/B at every size. The "
                  "product of two matrices grows with n and crosses the ridge of an A100 near 57.");
  Plot plot(drawing, {52, 36, 356, 236},
            {"n", kLeast, kMost, true, ticks({16, 64, 256, 1024, 4096})},
            {"FLOP per byte, FP32", 0.05, 5000, true, ticks({0.1, 1, 10, 100, 1000}, 1)});
  plot.line({{kLeast, ridge}, {kMost, ridge}}, {.tone = Tone::kSoft, .width = 1.2, .dashed = true});
  plot.label({kMost, ridge}, {-2, -7}, fmt::format("ridge of an A100, {:.1f}", ridge),
             small(Tone::kSoft, Anchor::kEnd));
  struct Level {
    const char* name;
    double (*intensity)(double);
    Tone tone;
    Point at;  ///< n in the label, and its offset
    double moved;
  };
  const std::array<Level, 3> levels = {{{"level 3: GEMM, n/6",
                                         [](double n) { return gemm(n, n, n, kFp32).intensity(); },
                                         Tone::kGreen,
                                         {1200, -10},
                                         -14},
                                        {"level 2: GEMV, 1/2",
                                         [](double n) { return gemv(n, n, kFp32).intensity(); },
                                         Tone::kBlue,
                                         {kMost, -2},
                                         -8},
                                        {"level 1: DOT, 1/4",
                                         [](double n) { return dot(n, kFp32).intensity(); },
                                         Tone::kOrange,
                                         {kMost, -2},
                                         18}}};
  for (const Level& level : levels) {
    std::vector<Point> curve;
    for (double n = kLeast; n <= kMost; n *= 2) curve.push_back({n, level.intensity(n)});
    plot.line(curve, {.tone = level.tone, .width = 2.4});
    plot.label({level.at.x, level.intensity(level.at.x)}, {level.at.y, level.moved}, level.name,
               {.size = kNormal, .anchor = Anchor::kEnd, .tone = level.tone, .bold = true});
  }
  return drawing;
})

FIGURE("reduction_tree", [](const Sources&) {
  constexpr int kThreads = 8;
  constexpr double kLeft = 14, kStep = 49, kWide = 40, kHigh = 26, kRow = 62;
  Drawing drawing(346, "Three stages of a reduction",
                  "Each of eight threads adds up many elements; then a tree halves the active "
                  "threads in each of three steps, with a barrier between steps; the first thread "
                  "adds the block's sum to the result.");
  const auto place = [&](int thread, double y) {
    return Box{kLeft + kStep * thread, y, kWide, kHigh};
  };
  drawing.text({kLeft, 20}, "1. each thread adds up many elements, alone", {.size = kNormal});
  double y = 34;
  for (int thread = 0; thread < kThreads; ++thread) {
    for (int i = 0; i < 3; ++i) {
      const Box to = place(thread, y);
      drawing.fill({to.x + 13.0 * i, y, 10, 10}, Tone::kOrange, true);
    }
    drawing.arrow({place(thread, y).x + kWide / 2, y + 13},
                  {place(thread, y).x + kWide / 2, y + 27});
  }
  y += 28;
  int active = kThreads;
  int level = 0;
  while (true) {
    for (int thread = 0; thread < kThreads; ++thread) {
      const bool is_active = thread < active;
      if (!is_active && active == 1) continue;  // the label is there
      drawing.box(place(thread, y), is_active ? Tone::kBlue : Tone::kPanel,
                  {is_active ? "sum" : ""}, small(Tone::kText, Anchor::kMiddle));
    }
    if (active == 1) break;
    for (int thread = 0; thread < active / 2; ++thread) {
      const double to = place(thread, y).x + kWide / 2;
      const double from = place(thread + active / 2, y).x + kWide / 2;
      drawing.arrow({from, y + kHigh}, {to + 5, y + kRow - 1}, {.tone = Tone::kSoft, .width = 1.1});
      drawing.arrow({to, y + kHigh}, {to, y + kRow - 1}, {.tone = Tone::kSoft, .width = 1.1});
    }
    drawing.text({kWidth - 12, y + kHigh + 22}, fmt::format("barrier, {} add", active / 2),
                 small(Tone::kRed, Anchor::kEnd));
    active /= 2;
    ++level;
    y += kRow;
  }
  drawing.arrow({place(0, y).x + kWide / 2, y + kHigh},
                {place(0, y).x + kWide / 2, y + kHigh + 22});
  drawing.text({kLeft + 46, y + kHigh + 28}, "3. one atomicAdd for each block", {.size = kNormal});
  drawing.text({kLeft + kStep + 4, y + 18},
               fmt::format("2. a tree: {} steps for {} threads", level, kThreads),
               {.size = kNormal});
  return drawing;
})

// --- Topic 02 ---

FIGURE("launch_share", [](const Sources& sources) {
  constexpr double kLeast = 0.2, kMost = 2000;
  const double bandwidth = docs::read_bandwidth(sources);
  const double half = docs::launch_seconds(sources) * bandwidth / kMega;
  const auto percent = [&](double megabytes) {
    return 100 * docs::reported_bandwidth(sources, megabytes * kMega) / bandwidth;
  };
  Drawing drawing(322, "The part of the bandwidth that one launch shows, over its bytes",
                  "An H200 whose launch takes 3.8 us. With 17 MB a launch shows half of the "
                  "bandwidth, with ten times as much 91 %, with a hundred times as much 99 %.");
  Plot plot(drawing, {44, 36, 364, 236},
            {"MB read in one launch", kLeast, kMost, true, ticks({1, 10, 100, 1000})},
            {"% of the bandwidth that is printed", 0, 104, false, ticks({0, 25, 50, 75, 100})});
  std::vector<Point> curve;
  for (double megabytes = kLeast; megabytes <= kMost; megabytes *= 1.15) {
    curve.push_back({megabytes, percent(megabytes)});
  }
  plot.line(curve, {.tone = Tone::kBlue, .width = 2.4});
  for (const double times : {1.0, 10.0, 100.0}) {
    const double megabytes = times * half;
    plot.line({{megabytes, 0}, {megabytes, percent(megabytes)}},
              {.tone = Tone::kSoft, .dashed = true});
    plot.dots({{megabytes, percent(megabytes)}}, Tone::kBlue, 5);
    const bool is_steep = times < 100;
    plot.label({megabytes, percent(megabytes)}, {is_steep ? 9.0 : -8.0, 18},
               fmt::format("{:.0f} %", percent(megabytes)),
               {.size = kNormal,
                .anchor = is_steep ? Anchor::kStart : Anchor::kEnd,
                .tone = Tone::kBlue,
                .bold = true});
    plot.label({megabytes, 0}, {-4, -8}, fmt::format("{:.0f} MB", megabytes),
               small(Tone::kSoft, Anchor::kEnd));
  }
  return drawing;
})

FIGURE("structured_sparsity", [](const Sources& sources) {
  const roofline::Machine machine = sources.machine("h100-sxm");
  const auto peak = [&](bool sparse) {
    return roofline::find_peak(machine, roofline::Precision::kFp16, roofline::Unit::kMatrix, sparse)
               ->operations_per_second /
           kTera;
  };
  // Weights of a row, with two zeros in every four.
  constexpr std::array<int, 12> kRow = {3, 0, 0, 5, 0, 2, 7, 0, 4, 1, 0, 0};
  constexpr double kLeft = 12, kCell = 33;
  Drawing drawing(262, "2:4 sparsity: what is stored, what is done, what is counted",
                  "A row of twelve weights in groups of four, each with two zeros. Six weights and "
                  "their places are stored, six products are done, and twelve may be counted.");
  drawing.text({kLeft, 20}, "a row of weights, two zeros in every four", {.size = kNormal});
  const Text middle = {.size = kNormal, .anchor = Anchor::kMiddle};
  int kept = 0;
  for (std::size_t i = 0; i < kRow.size(); ++i) {
    const double x = kLeft + kCell * static_cast<double>(i);
    const bool is_zero = kRow[i] == 0;
    drawing.box({x, 32, kCell - 3, 28}, is_zero ? Tone::kPanel : Tone::kBlue,
                {fmt::to_string(kRow[i])}, middle);
    if (is_zero) continue;
    const double to = kLeft + kCell * kept;
    drawing.box({to, 112, kCell - 3, 28}, Tone::kBlue, {fmt::to_string(kRow[i])}, middle);
    drawing.box({to, 142, kCell - 3, 24}, Tone::kOrange, {fmt::format("{:02b}", i % 4)},
                small(Tone::kText, Anchor::kMiddle));
    drawing.line({x + kCell / 2 - 1, 62}, {to + kCell / 2 - 1, 110},
                 {.tone = Tone::kLine, .width = 1});
    ++kept;
  }
  const double right = kLeft + kCell * kept + 12;
  drawing.text({right, 131}, "kept", {.size = kNormal, .tone = Tone::kBlue});
  drawing.text({right, 159}, "place among its four", small(Tone::kOrange));
  drawing.text({kLeft, 198}, fmt::format("done: {} products of {}", kept, kRow.size()),
               {.size = kNormal, .bold = true});
  drawing.text({kLeft, 222}, fmt::format("H100, FP16, dense: {:.1f} TFLOP/s", peak(false)),
               {.size = kNormal});
  drawing.text({kLeft, 246}, fmt::format("with the skipped products counted: {:.0f}", peak(true)),
               {.size = kNormal, .tone = Tone::kRed});
  return drawing;
})

FIGURE("matrix_tile", [](const Sources&) {
  constexpr double kSide = 16, kPerClock = 256, kLatency = 32;
  const double products = kSide * kSide * kSide;
  const double busy = products / kPerClock;
  Drawing drawing(300, "A tile on a matrix unit",
                  "A product of 16 x 16 tiles takes a unit of an A100 16 clocks. If its sums are "
                  "there after 32, one tile at a time leaves the unit idle for half of the time, "
                  "and two under way keep it busy.");
  const Text middle = {.size = kNormal, .anchor = Anchor::kMiddle};
  constexpr double kTile = 62;
  drawing.box({12, 14, kTile, kTile}, Tone::kBlue, {"16 x 16"}, middle);
  drawing.text({86, 50}, "x", {.size = kLarge, .anchor = Anchor::kMiddle});
  drawing.box({98, 14, kTile, kTile}, Tone::kOrange, {"16 x 16"}, middle);
  drawing.text({173, 50}, "+", {.size = kLarge, .anchor = Anchor::kMiddle});
  drawing.box({186, 14, kTile, kTile}, Tone::kGreen, {"16 x 16"}, middle);
  drawing.text({260, 40}, fmt::format("{:.0f} multiply-adds", products), {.size = kNormal});
  drawing.text({260, 60}, fmt::format("{:.0f} a clock: {:.0f} clocks", kPerClock, busy),
               {.size = kNormal});
  constexpr double kLeft = 12, kScale = 3.9;  // of a clock
  const double all = 3 * kLatency;
  double y = 124;
  for (const int tiles : {1, 2}) {
    drawing.text({kLeft, y - 8},
                 tiles == 1 ? "one tile under way: busy half of the time"
                            : "two tiles under way: always busy",
                 {.size = kNormal, .bold = true});
    drawing.box({kLeft, y, kScale * all, 30}, Tone::kPanel);
    for (int turn = 0; turn < 3; ++turn) {
      for (int tile = 0; tile < tiles; ++tile) {
        const double begin = kLatency * turn + busy * tile;
        drawing.box({kLeft + kScale * begin, y, kScale * busy, 30},
                    tile == 0 ? Tone::kBlue : Tone::kPurple, {tile == 0 ? "first" : "second"},
                    small(Tone::kText, Anchor::kMiddle));
      }
    }
    y += 80;
  }
  for (double clock = 0; clock <= all; clock += kLatency) {
    drawing.text({kLeft + kScale * clock, y - 28}, fmt::format("{:.0f}", clock),
                 small(Tone::kSoft, clock == 0     ? Anchor::kStart
                                    : clock == all ? Anchor::kEnd
                                                   : Anchor::kMiddle));
  }
  drawing.text({kLeft + kScale * all, y - 8}, "clocks", small(Tone::kSoft, Anchor::kEnd));
  return drawing;
})

// --- Topic 03 ---

FIGURE("block_time", [](const Sources& sources) {
  const roofline::Roof roof = docs::block_roof(sources);
  const std::vector<roofline::Operation> rows = docs::printed_block();
  constexpr std::array<const char*, 7> kNames = {"QKV projection", "attention", "output projection",
                                                 "LayerNorm",      "FFN",       "LayerNorm",
                                                 "element-wise"};
  constexpr double kTop = 34, kStep = 32, kLeft = 134, kLong = 188;
  double longest = 0;
  for (const auto& row : rows) longest = std::max(longest, docs::block_seconds(sources, row));
  Drawing drawing(kTop + kStep * static_cast<double>(rows.size()) + 58,
                  "The time of a transformer block, row by row",
                  "Products and attention compute, norms and element-wise work wait for memory. "
                  "The rows that do a third of a percent of the FLOPs take a quarter of the time.");
  drawing.fill({kLeft, 10, 12, 12}, Tone::kBlue, true);
  drawing.text({kLeft + 18, 20}, "computes", small());
  drawing.fill({kLeft + 98, 10, 12, 12}, Tone::kOrange, true);
  drawing.text({kLeft + 116, 20}, "waits for memory, us", small());
  double y = kTop;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double seconds = docs::block_seconds(sources, rows[i]);
    const bool waits = roofline::classify(roof, rows[i].intensity()) == roofline::Bound::kMemory;
    const double wide = kLong * seconds / longest;
    drawing.text({kLeft - 8, y + 17}, kNames.at(i), {.size = kNormal, .anchor = Anchor::kEnd});
    drawing.fill({kLeft, y, wide, 24}, waits ? Tone::kOrange : Tone::kBlue, true);
    drawing.text({kLeft + wide + 7, y + 17}, fmt::format("{:.0f}", seconds / kMicro),
                 {.size = kNormal, .bold = true});
    y += kStep;
  }
  const docs::BlockTime time = docs::block_time(sources);
  drawing.text({12, y + 16}, fmt::format("row after row: {:.0f} us", time.seconds / kMicro),
               {.size = kNormal, .bold = true});
  drawing.text({12, y + 38},
               fmt::format("orange: {:.2f} % of the FLOPs, {:.0f} % of the time",
                           100 * time.waiting_flops, 100 * time.waiting_time),
               {.size = kNormal, .tone = Tone::kOrange});
  return drawing;
})

}  // namespace
}  // namespace figures
