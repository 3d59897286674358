// SPDX-License-Identifier: MIT
// Figures of peaks: the terms for three heights, times of SAXPY, what a datasheet predicts for a
// token and a prompt, products by size, the clocks behind a datasheet, pairs of halves, theoretical
// and measured roofs, and why one chain of multiply-adds leaves a pipe idle.
#include "roofline/peaks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/csv.hpp"
#include "figure.hpp"
#include "plot.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/machine.hpp"
#include "shared.hpp"

namespace figures {
namespace {

using roofline::Precision;

using namespace base::prefixes;

double dense_peak(const roofline::Machine& machine, Precision precision, roofline::Unit unit) {
  return roofline::find_peak(machine, precision, unit)->operations_per_second;
}

/// FLOP/s of a program of topic 02 on an H200, at the size named in the text.
double measured_rate(const Sources& sources, const std::string& program, const std::string& n) {
  return kGiga *
         sources.measured_number("h200_peaks.csv", {{"program", program}, {"n", n}}, "gflop_per_s");
}

FIGURE("peak_roof_plateau", [](const Sources& sources) {
  constexpr double kMost = 20000, kLow = 30, kHigh = 72;
  const double peak =
      dense_peak(sources.machine("h200-sxm"), Precision::kFp32, roofline::Unit::kVector) / kTera;
  const double roof = dense_peak(roofline::load_machine(sources.measured("h200_roofs.json")),
                                 Precision::kFp32, roofline::Unit::kVector) /
                      kTera;
  std::vector<Point> rates;
  const base::CsvFile csv(sources.measured("h200_fma_iterations.csv"));
  for (std::size_t row = 0; row < csv.size(); ++row) {
    const double rate = std::stod(csv.field(row, "gflop_per_s")) * kGiga / kTera;
    if (rate > kLow) rates.push_back({std::stod(csv.field(row, "iterations")), rate});
  }
  Drawing drawing(312, "Peak, roof and plateau of FP32 on an H200",
                  "The rate of a loop of multiply-adds rises with its iterations and flattens: its "
                  "plateau. The roof, the highest that any program reached, lies above it, and the "
                  "theoretical peak above the roof.");
  Plot plot(
      drawing, {38, 36, 370, 228},
      {"multiply-adds an element in one launch", 32, kMost, true,
       ticks({64, 256, 1024, 4096, 16384})},
      {"TFLOP/s in FP32; the axis begins at 30", kLow, kHigh, false, ticks({30, 40, 50, 60, 70})});
  plot.line({{32, peak}, {kMost, peak}}, {.tone = Tone::kBlue, .width = 2.2});
  plot.line({{32, roof}, {kMost, roof}}, {.tone = Tone::kPurple, .width = 2.2, .dashed = true});
  plot.line(rates, {.tone = Tone::kGreen, .width = 2.2});
  plot.dots(rates, Tone::kGreen, 4.5);
  plot.label({32, peak}, {6, -6},
             fmt::format("theoretical peak, {:.1f}: units x lanes x 2 x clock", peak),
             small(Tone::kBlue));
  plot.label({32, roof}, {6, 17}, fmt::format("roof, {:.1f}: the most that was reached", roof),
             small(Tone::kPurple));
  const Text flat = {.size = kNormal, .anchor = Anchor::kEnd, .tone = Tone::kGreen, .bold = true};
  plot.label(rates.back(), {-4, 30}, "plateau of this kernel", flat);
  drawing.text({404, 200}, "efficiency: the plateau over the peak",
               small(Tone::kGreen, Anchor::kEnd));
  return drawing;
})

FIGURE("saxpy_times", [](const Sources& sources) {
  using namespace roofline;
  constexpr double kElements = 67108864, kMicro = 1e-6;
  const Operation saxpy = axpy(kElements, Precision::kFp32);
  const double forgotten = saxpy.bytes() - saxpy.bytes_written;  // y counted once
  const double triad = load_machine(sources.measured("h200_roofs.json")).streams.at("triad");
  const auto measured = [&](const char* kernel) {
    return saxpy.bytes() / (kGiga * sources.measured_number("saxpy_h200.csv", {{"kernel", kernel}},
                                                            "gb_per_s_median"));
  };
  struct Row {
    const char* name;
    double seconds;
    Tone tone;
  };
  const std::vector<Row> rows = {
      {"8 B an element over the triad: y forgotten", forgotten / triad, Tone::kRed},
      {"12 B over the datasheet", saxpy.bytes() / bandwidth(sources.machine("h200-sxm")),
       Tone::kOrange},
      {"12 B over the triad", saxpy.bytes() / triad, Tone::kGreen},
      {"measured, four elements a thread", measured("four elements per thread"), Tone::kBlue},
      {"measured, one element a thread", measured("one element per thread"), Tone::kBlue}};
  constexpr double kLeft = 10, kRow = 46, kHigh = 20, kScale = 1.4;  // per microsecond
  const double expected = rows.at(2).seconds / kMicro;
  Drawing drawing(
      kRow * static_cast<double>(rows.size()) + 16,
      "SAXPY over 2^26 elements on an H200, predicted and measured",
      "Bars of time. A prediction from the bandwidth of the triad lies just under the kernel with "
      "several elements a thread. The datasheet predicts less, a count that forgets that y is read "
      "two thirds; the kernel with one element a thread takes far longer.");
  double y = 20;
  for (const Row& row : rows) {
    const double micro = row.seconds / kMicro;
    drawing.text({kLeft, y}, row.name, small(row.tone));
    drawing.fill({kLeft, y + 6, kScale * micro, kHigh}, row.tone, true);
    drawing.text({kLeft + kScale * micro + 8, y + 21}, fmt::format("{:.0f} us", micro),
                 {.size = kNormal, .bold = true});
    y += kRow;
  }
  drawing.line({kLeft + kScale * expected, 26 + 2 * kRow}, {kLeft + kScale * expected, y - 18},
               {.tone = Tone::kGreen, .width = 1.2, .dashed = true});
  return drawing;
})

FIGURE("datasheet_predictions", [](const Sources& sources) {
  struct Row {
    const char* name;
    docs::Bound bound;
    const char* waits_for;
  };
  const std::vector<Row> rows = {
      {"a token", docs::token_bound(sources), "memory"},
      {"a prompt of 2048 tokens", docs::prompt_bound(sources), "matrix units"}};
  Drawing drawing(212, "A token and a prompt, by the datasheet and by measured roofs",
                  "Two pairs of bars. The time of a token hardly grows when the measured bandwidth "
                  "replaces the datasheet's; that of a prompt grows by nearly half.");
  drawing.text({10, 20}, "eight billion parameters on an H200; the datasheet's time is 1",
               small(Tone::kSoft));
  constexpr double kLeft = 10, kScale = 200, kHigh = 20;
  double y = 50;
  for (const Row& row : rows) {
    drawing.text({kLeft, y}, fmt::format("{}: waits for {}", row.name, row.waits_for),
                 {.size = kNormal, .bold = true});
    const double ratio = row.bound.reached / row.bound.stated;
    const auto bar = [&](double below, double length, double seconds, Tone tone,
                         const std::string& what) {
      drawing.fill({kLeft, y + below, kScale * length, kHigh}, tone, true);
      drawing.text({kLeft + kScale * length + 8, y + below + 15},
                   fmt::format("{} ms, {}", trimmed(seconds / 1e-3, seconds < 0.01 ? 2 : 0), what),
                   small());
    };
    bar(8, 1, row.bound.stated, Tone::kBlue, "datasheet");
    bar(32, ratio, row.bound.reached, Tone::kOrange, "reached");
    y += 90;
  }
  return drawing;
})

FIGURE("product_sizes", [](const Sources& sources) {
  struct Product {
    double side;
    const char* id;  ///< in llm_measured.csv
  };
  struct Chip {
    const char* name;
    const char* machine;
    std::vector<Product> products;
    Tone tone;
  };
  const std::vector<Chip> chips = {
      {"A100", "a100-80gb-sxm", {{256, "252"}, {8192, "254"}}, Tone::kOrange},
      {"H100", "h100-sxm", {{256, "256"}, {1024, "257"}, {4096, "258"}}, Tone::kBlue},
      {"H200", "h200-sxm", {{8192, "246"}}, Tone::kPurple}};
  Drawing drawing(
      300, "Products of square matrices in BF16, as a share of the peak",
      "At a side of 256 a product reaches one or two percent of the dense peak, at 1024 "
      "about a third, and from 4096 on two thirds to four fifths.");
  Plot plot(drawing, {44, 36, 360, 210},
            {"side of the matrices", 180, 14000, true, ticks({256, 1024, 4096, 8192})},
            {"% of the dense peak", 0, 100, false, ticks({0, 25, 50, 75, 100})});
  for (const Chip& chip : chips) {
    const double peak =
        dense_peak(sources.machine(chip.machine), Precision::kBf16, roofline::Unit::kMatrix);
    std::vector<Point> points;
    for (const Product& product : chip.products) {
      const double seconds =
          1e-6 * sources.measured_number("llm_measured.csv", {{"id", product.id}}, "measured");
      const double rate =
          roofline::gemm(product.side, product.side, product.side, Precision::kBf16).flops /
          seconds;
      points.push_back({product.side, 100 * rate / peak});
    }
    if (points.size() > 2) plot.line(points, {.tone = chip.tone, .width = 1.2, .dashed = true});
    plot.dots(points, chip.tone, 5);
    plot.label(points.back(), {10, 4}, chip.name,
               {.size = kNormal, .tone = chip.tone, .bold = true});
  }
  return drawing;
})

// --- On paper ---

FIGURE("peak_factors", [](const Sources& sources) {
  constexpr int kSide = 16, kFlops = 2;  // an A100 matrix unit: 16 x 16 multiply-adds per clock
  const roofline::Peak* peak = roofline::find_peak(sources.machine("a100-80gb-sxm"),
                                                   Precision::kFp16, roofline::Unit::kMatrix);
  const double units = peak->parts->units, clock = peak->clock_hz.value();
  const double in_unit = peak->parts->operations_per_clock / kFlops / (kSide * kSide);
  const double all = peak->operations_per_second / kTera;
  Drawing drawing(312, "The factors of a peak: an A100 in FP16",
                  "A chip of many multiprocessors, each with a few matrix units, each with a "
                  "square of multiply-adds that start in every clock. Their numbers, times two, "
                  "times the clock are the peak; a factor left out is a figure that looks right.");
  constexpr double kTop = 34, kHigh = 118;
  const Text count = {.size = kNormal, .anchor = Anchor::kMiddle, .bold = true};
  const Text what = small(Tone::kSoft, Anchor::kMiddle);
  constexpr int kAcross = 12;
  constexpr double kCell = 10;
  for (int unit = 0; unit < static_cast<int>(units); ++unit) {
    const Box place{12 + kCell * (unit % kAcross), kTop + 14 + kCell * (unit / kAcross), 8, 8};
    drawing.fill(place, unit == kAcross - 1 ? Tone::kBlue : Tone::kLine, unit == kAcross - 1);
  }
  const Box part{164, kTop, 92, kHigh}, inside{298, kTop, kHigh - 6, kHigh - 6};
  drawing.line({131, kTop + 14}, {part.x, part.y}, {.tone = Tone::kBlue, .width = 1});
  drawing.line({131, kTop + 22}, {part.x, part.bottom()}, {.tone = Tone::kBlue, .width = 1});
  drawing.box(part, Tone::kPanel);
  for (int unit = 0; unit < static_cast<int>(in_unit); ++unit) {
    drawing.box({part.x + 10 + 38.0 * (unit % 2), part.y + 12 + 50.0 * (unit / 2), 34, 44},
                unit == 1 ? Tone::kGreen : Tone::kPanel);
  }
  drawing.line({part.x + 82, part.y + 12}, {inside.x, inside.y},
               {.tone = Tone::kGreen, .width = 1});
  drawing.line({part.x + 82, part.y + 56}, {inside.x, inside.bottom()},
               {.tone = Tone::kGreen, .width = 1});
  drawing.box(inside, Tone::kGreen);
  const double step = (inside.width - 6) / kSide;
  for (int i = 0; i < kSide * kSide; ++i) {
    drawing.fill(
        {inside.x + 4 + step * (i % kSide), inside.y + 4 + step * (i / kSide), step - 2, step - 2},
        Tone::kGreen, true);
  }
  drawing.text({71, 182}, fmt::format("{:.0f}", units), count);
  drawing.text({71, 199}, "multiprocessors", what);
  drawing.text({part.centre().x, 182}, fmt::format("x {:.0f}", in_unit), count);
  drawing.text({part.centre().x, 199}, "matrix units", what);
  drawing.text({inside.centre().x, 182}, fmt::format("x {}", kSide * kSide), count);
  drawing.text({inside.centre().x, 199}, "multiply-adds", what);
  drawing.text({12, 20}, "what starts in one clock", small(Tone::kSoft));
  drawing.text({12, 232},
               fmt::format("x {} FLOPs x {:.2f} GHz = {:.0f} TFLOP/s", kFlops, clock / kGiga, all),
               {.size = kLarge, .bold = true});
  const Text wrong = small(Tone::kRed);
  drawing.text({12, 258},
               fmt::format("one matrix unit of {:.0f} counted: {:.0f}", in_unit, all / in_unit),
               wrong);
  drawing.text({12, 278}, fmt::format("a multiply-add counted once: {:.0f}", all / kFlops), wrong);
  drawing.text({12, 298}, fmt::format("one multiprocessor: {:.1f}", all / units), wrong);
  return drawing;
})

FIGURE("memory_transfers", [](const Sources&) {
  constexpr double kClock = 1593e6, kBus = 5120, kModule = 4800e6, kChannels = 12;
  constexpr double kPin = 19.5e9, kPins = 384, kBitsOfByte = 8;
  Drawing drawing(286, "A clock, its transfers, and three ways to print them",
                  "Data crosses a wire at both edges of each clock. HBM is printed by its clock, "
                  "modules by their transfers, GDDR by the rate of a pin; only the first is "
                  "multiplied by two.");
  constexpr double kLeft = 84, kPeriod = 80, kLow = 62, kHigh = 32;
  constexpr int kPeriods = 4;
  std::vector<Point> wave = {{kLeft, kLow}};
  for (int i = 0; i < kPeriods; ++i) {
    const double x = kLeft + kPeriod * i;
    for (const Point& point : {Point{x, kHigh},
                               {x + kPeriod / 2, kHigh},
                               {x + kPeriod / 2, kLow},
                               {x + kPeriod, kLow}}) {
      wave.push_back(point);
    }
  }
  drawing.text({10, 52}, "clock", {.size = kNormal});
  drawing.path(wave, {.tone = Tone::kBlue, .width = 2});
  drawing.text({10, 95}, "a wire", {.size = kNormal});
  for (int i = 0; i < 2 * kPeriods; ++i) {
    const double x = kLeft + kPeriod / 2 * i;
    drawing.line({x, kLow + 2}, {x, 78}, {.tone = Tone::kLine, .width = 1});
    drawing.box({x, 79, kPeriod / 2 - 3, 24}, Tone::kGreen, {"bit"},
                small(Tone::kText, Anchor::kMiddle));
  }
  drawing.line({kLeft, 22}, {kLeft + kPeriod, 22}, {.tone = Tone::kBlue, .width = 1.4});
  drawing.text({kLeft + kPeriod + 8, 20}, "one clock, two transfers", small(Tone::kBlue));
  struct Way {
    std::string printed, formula;
    double bytes;
    Tone tone;
  };
  double y = 134;
  for (const Way& way :
       {Way{fmt::format("HBM, its clock: {:.0f} MHz", kClock / 1e6),
            fmt::format("x 2 x {:.0f} wires / 8", kBus), roofline::memory_peak(kClock, kBus),
            Tone::kBlue},
        Way{fmt::format("modules, their transfers: {:.0f} million a second", kModule / 1e6),
            fmt::format("x 64 wires / 8 x {:.0f} channels", kChannels),
            roofline::cpu_memory_peak(kChannels, kModule), Tone::kGreen},
        Way{fmt::format("GDDR, a pin: {:.1f} Gbit/s", kPin / kGiga),
            fmt::format("x {:.0f} wires / 8", kPins), kPin * kPins / kBitsOfByte, Tone::kGreen}}) {
    drawing.text({10, y}, way.printed, {.size = kNormal, .tone = way.tone, .bold = true});
    drawing.text({10, y + 20}, way.formula, small());
    drawing.text({408, y + 20}, fmt::format("{:.0f} GB/s", way.bytes / kGiga),
                 {.size = kNormal, .anchor = Anchor::kEnd, .bold = true});
    y += 54;
  }
  return drawing;
})

FIGURE("stated_clocks", [](const Sources& sources) {
  struct Row {
    const char* name;
    Precision precision;
    roofline::Unit unit;
  };
  constexpr roofline::Unit kVector = roofline::Unit::kVector, kMatrix = roofline::Unit::kMatrix;
  constexpr std::array<Row, 7> kRows = {{{"FP64 vector", Precision::kFp64, kVector},
                                         {"FP64 matrix", Precision::kFp64, kMatrix},
                                         {"FP32 vector", Precision::kFp32, kVector},
                                         {"TF32 matrix", Precision::kTf32, kMatrix},
                                         {"FP16 matrix", Precision::kFp16, kMatrix},
                                         {"FP8 matrix", Precision::kFp8, kMatrix},
                                         {"INT8 matrix", Precision::kInt8, kMatrix}}};
  Drawing drawing(340, "The clock behind each stated peak",
                  "Stated peaks divided by the work of a clock. All of an A100's give one clock. "
                  "An H100's give a higher one in FP64 and FP32 and a lower one in the narrower "
                  "formats of its matrix units.");
  constexpr double kLow = 1.3;
  const auto count = static_cast<double>(kRows.size());
  Plot plot(drawing, {98, 44, 310, 252},
            {"GHz: the peak over units x operations a clock", kLow, 2.1, false,
             ticks({1.4, 1.6, 1.8, 2}, 1)},
            {"", 0, count, false, {}});
  drawing.dot({16, 16}, Tone::kGreen, 5);
  drawing.text({28, 21}, "A100", small(Tone::kGreen));
  drawing.dot({86, 16}, Tone::kBlue, 5);
  drawing.text({98, 21}, "H100 SXM", small(Tone::kBlue));
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const double y = plot.at(kLow, count - static_cast<double>(i) - 0.5).y;
    drawing.text({8, y + 5}, kRows.at(i).name, small());
  }
  for (const char* id : {"a100-80gb-sxm", "h100-sxm"}) {
    const roofline::Machine machine = sources.machine(id);
    const Tone tone = machine.id == "h100-sxm" ? Tone::kBlue : Tone::kGreen;
    std::set<double> clocks;
    for (std::size_t i = 0; i < kRows.size(); ++i) {
      const roofline::Peak* peak =
          roofline::find_peak(machine, kRows.at(i).precision, kRows.at(i).unit);
      if (peak == nullptr || !peak->parts) continue;
      plot.dots({{peak->operations_per_second / peak->parts->units /
                      peak->parts->operations_per_clock / kGiga,
                  count - static_cast<double>(i) - 0.5}},
                tone, 5.5);
      clocks.insert(peak->clock_hz.value() / kGiga);
    }
    for (const double clock : clocks) {
      plot.line({{clock, 0}, {clock, count}}, {.tone = tone, .width = 1, .dashed = true});
      plot.label({clock, count}, {0, -7}, fmt::format("{:.2f}", clock),
                 {.size = kSmall, .anchor = Anchor::kMiddle, .tone = tone, .bold = true});
    }
  }
  return drawing;
})

FIGURE("packed_half", [](const Sources& sources) {
  const double fp32 = measured_rate(sources, "fma_chains", "16777216");
  const double pairs = measured_rate(sources, "packed_half", "8388608");
  struct Way {
    const char* title;
    const char* instruction;
    int halves;  ///< of a register holding one number used; 0: one number of 32 bits
    std::string rate;
  };
  const std::vector<Way> ways = {
      {"FP32", "fmaf", 0, fmt::format("measured {:.0f} TFLOP/s", fp32 / kTera)},
      {"FP16, single", "__hfma", 1, "not measured"},
      {"FP16, pairs", "__hfma2", 2,
       fmt::format("measured {:.0f} TFLOP/s: {:.2f} times", pairs / kTera, pairs / fp32)}};
  Drawing drawing(300, "One instruction of a lane on registers of 32 bits",
                  "A multiply-add in FP32 fills its registers and does 2 FLOPs. One on a single "
                  "half leaves half of each register unused and does 2. One on pairs does 4.");
  constexpr double kLeft = 12, kRegister = 84, kGap = 26, kHigh = 30;
  double y = 22;
  for (const Way& way : ways) {
    const int flops = 2 * std::max(way.halves, 1);
    drawing.text({kLeft, y}, way.title, {.size = kNormal, .bold = true});
    drawing.text({kLeft + 104, y}, way.instruction,
                 {.size = kSmall, .tone = Tone::kSoft, .mono = true});
    drawing.text({408, y}, way.rate, small(Tone::kSoft, Anchor::kEnd));
    constexpr std::array<const char*, 3> kOperands = {"a", "x", "b"};
    double x = kLeft;
    for (std::size_t i = 0; i < kOperands.size(); ++i) {
      const std::string name = kOperands.at(i);
      const Text middle = {.size = kNormal, .anchor = Anchor::kMiddle, .mono = true};
      const Box whole{x, y + 12, kRegister, kHigh};
      if (way.halves == 0) {
        drawing.box(whole, Tone::kBlue, {name}, middle);
      } else {
        const Box high{x, y + 12, kRegister / 2, kHigh},
            low{x + kRegister / 2, y + 12, kRegister / 2, kHigh};
        drawing.box(high, way.halves == 2 ? Tone::kGreen : Tone::kPanel,
                    {way.halves == 2 ? name + "1" : ""}, middle);
        drawing.box(low, Tone::kGreen, {name + "0"}, middle);
      }
      x += kRegister;
      if (i + 1 < kOperands.size()) {
        drawing.text({x + kGap / 2, y + 32}, i == 0 ? "*" : "+",
                     {.size = kLarge, .anchor = Anchor::kMiddle});
        x += kGap;
      }
    }
    drawing.text({408, y + 32}, fmt::format("{} FLOPs", flops),
                 {.size = kNormal,
                  .anchor = Anchor::kEnd,
                  .tone = way.halves == 0 ? Tone::kBlue : Tone::kGreen,
                  .bold = true});
    y += 94;
  }
  drawing.text({kLeft, 292}, "grey: the half of a register that nothing uses", small(Tone::kSoft));
  return drawing;
})

FIGURE("paper_reached", [](const Sources& sources) {
  const roofline::Machine sheet = sources.machine("h200-sxm");
  const roofline::Machine measured = roofline::load_machine(sources.measured("h200_roofs.json"));
  const double triad = measured.streams.at("triad");
  struct Pair {
    const char* name;
    roofline::Roof paper, reached;
    Tone tone;
  };
  const std::vector<Pair> pairs = {
      {"BF16 products",
       roofline::roof_of(sheet, Precision::kBf16),
       {measured.products.at(Precision::kBf16), triad},
       Tone::kOrange},
      {"FP32",
       {dense_peak(sheet, Precision::kFp32, roofline::Unit::kVector), roofline::bandwidth(sheet)},
       {dense_peak(measured, Precision::kFp32, roofline::Unit::kVector), triad},
       Tone::kBlue}};
  constexpr double kLow = 4, kHigh = 1000, kBottom = 15;
  Drawing drawing(338, "Roofs of an H200 on paper and reached",
                  "Dashed, the roofs by the datasheet; solid, those that were reached. In FP32 "
                  "arithmetic loses less than memory and the ridge moves right, in BF16 products "
                  "lose more and it moves left.");
  Plot plot(drawing, {46, 36, 352, 254},
            {"FLOP per byte of DRAM", kLow, kHigh, true, ticks({10, 100, 1000})},
            {"TFLOP/s", kBottom, 2000, true, ticks({20, 50, 100, 200, 500, 1000})});
  for (const Pair& pair : pairs) {
    const double from = roofline::ridge(pair.paper), to = roofline::ridge(pair.reached);
    plot.roof(pair.paper, kTera, {.tone = pair.tone, .width = 1.4, .dashed = true});
    plot.roof(pair.reached, kTera, {.tone = pair.tone, .width = 2.4});
    for (const roofline::Roof& roof : {pair.paper, pair.reached}) {
      const double at = roofline::ridge(roof);
      plot.line({{at, roof.flops_per_second / kTera}, {at, kBottom}},
                {.tone = pair.tone, .width = 1, .dashed = true});
      plot.dots({{at, roof.flops_per_second / kTera}}, pair.tone, 4.5);
    }
    const double top = pair.paper.flops_per_second / kTera;
    plot.label({kHigh, top}, {-4, -8}, pair.name,
               {.size = kNormal, .anchor = Anchor::kEnd, .tone = pair.tone, .bold = true});
    plot.label({std::max(from, to), kBottom}, {7, -28},
               fmt::format("paper {:.{}f}", from, from < 100 ? 1 : 0), small(pair.tone));
    plot.label({std::max(from, to), kBottom}, {7, -11},
               fmt::format("reached {:.{}f}", to, to < 100 ? 1 : 0), small(pair.tone));
  }
  drawing.line({12, 324}, {40, 324}, {.tone = Tone::kSoft, .width = 1.4, .dashed = true});
  drawing.text({46, 329}, "datasheet", small(Tone::kSoft));
  drawing.line({128, 324}, {156, 324}, {.tone = Tone::kSoft, .width = 2.4});
  drawing.text({162, 329}, "measured", small(Tone::kSoft));
  return drawing;
})

FIGURE("chain_clocks", [](const Sources& sources) {
  const double latency = sources.machine("h200-sxm").multiprocessor.value().dependent_clocks;
  const auto rate = [&](const std::string& chains) {
    return sources.measured_number("h200_fma_chains.csv", {{"chains", chains}}, "gflop_per_s");
  };
  double most = 0;
  const base::CsvFile csv(sources.measured("h200_fma_chains.csv"));
  for (std::size_t row = 0; row < csv.size(); ++row)
    most = std::max(most, std::stod(csv.field(row, "gflop_per_s")));
  constexpr double kLeft = 78, kClock = 20.5, kRow = 26, kHigh = 20;
  constexpr int kClocks = 16;
  Drawing drawing(326, "A pipe with one chain of multiply-adds and with four",
                  "Each multiply-add waits four clocks for the one before it in its chain. With "
                  "one chain the pipe starts one in four clocks. With four chains one can start in "
                  "every clock.");
  double y = 18;
  for (const int chains : {1, static_cast<int>(latency)}) {
    drawing.text({10, y}, fmt::format("{} chain{}", chains, chains == 1 ? "" : "s"),
                 {.size = kNormal, .bold = true});
    const std::string count = fmt::to_string(chains);
    drawing.text({408, y}, fmt::format("measured: {:.0f} % of the best", 100 * rate(count) / most),
                 small(Tone::kSoft, Anchor::kEnd));
    y += 10;
    std::array<bool, kClocks> started{};
    for (int chain = 0; chain < chains; ++chain) {
      drawing.text({10, y + 15}, fmt::format("x{}", chain), {.size = kSmall, .mono = true});
      for (int clock = chain; clock < kClocks; clock += static_cast<int>(latency)) {
        started.at(static_cast<std::size_t>(clock)) = true;
        const double x = kLeft + kClock * clock;
        const double end = std::min(x + kClock * latency, kLeft + kClock * kClocks);
        drawing.box({x, y, end - x - 1.5, kHigh}, Tone::kBlue);
        drawing.fill({x, y, kClock - 2, kHigh}, Tone::kBlue, true);
      }
      y += kRow;
    }
    drawing.text({10, y + 16}, "starts", small(Tone::kOrange));
    for (int clock = 0; clock < kClocks; ++clock) {
      const Box place{kLeft + kClock * clock, y + 2, kClock - 2, kHigh};
      if (started.at(static_cast<std::size_t>(clock))) {
        drawing.fill(place, Tone::kOrange, true);
      } else {
        drawing.fill(place, Tone::kPanel);
      }
    }
    y += kRow + 30;
  }
  drawing.arrow({kLeft, y - 16}, {kLeft + kClock * kClocks, y - 16},
                {.tone = Tone::kSoft, .width = 1.2});
  drawing.text({kLeft + kClock * kClocks, y + 2}, "clocks", small(Tone::kSoft, Anchor::kEnd));
  drawing.fill({10, y + 13, 12, 12}, Tone::kBlue, true);
  drawing.text({28, y + 24}, "an FMA starts", small());
  drawing.box({130, y + 13, 12, 12}, Tone::kBlue);
  drawing.text({148, y + 24}, fmt::format("its result is there {:.0f} clocks later", latency),
               small());
  return drawing;
})

}  // namespace
}  // namespace figures
