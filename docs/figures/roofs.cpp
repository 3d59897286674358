// SPDX-License-Identifier: MIT
// Figures of roofs: with topic 01's operations, with what a server can do, built up in four frames,
// with measured kernels, by memory level, and of energy.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "figure.hpp"
#include "h200.hpp"
#include "plot.hpp"
#include "roofline/blas.hpp"
#include "roofline/bounds.hpp"
#include "roofline/elementwise.hpp"
#include "roofline/energy.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "roofline/profile.hpp"
#include "shared.hpp"

namespace figures {
namespace {

using roofline::Roof;

using namespace base::prefixes;

/// The roof that `roofline measure` found on an H200: FP32 on the vector units, and a stream.
Roof measured_roof(const Sources& sources, const std::string& stream) {
  const roofline::Machine machine = roofline::load_machine(sources.measured("h200_roofs.json"));
  const roofline::Peak* peak =
      roofline::find_peak(machine, roofline::Precision::kFp32, roofline::Unit::kVector);
  if (peak == nullptr) throw std::runtime_error("h200_roofs.json has no FP32 peak");
  return {peak->operations_per_second, machine.streams.at(stream)};
}

roofline::KernelCounts profiled(const Sources& sources, const std::string& name) {
  const auto file =
      sources.data().parent_path() / "topics/03-roofline-modeling/profiles/kernels_h200.csv";
  for (const auto& kernel : roofline::import_profile(file).kernels) {
    if (kernel.name.find(name) != std::string::npos && kernel.counts) return *kernel.counts;
  }
  throw std::runtime_error(fmt::format("{} has no kernel {}", file.string(), name));
}

/// Intensity with respect to DRAM, and TFLOP/s.
Point profiled_point(const Sources& sources, const std::string& name) {
  const roofline::ProfilePoint point = roofline::place(profiled(sources, name));
  return {point.intensity, point.flops_per_second / kTera};
}

/// The same from a row of a CSV file with flop_per_byte and gflop_per_s.
Point measured_point(const Sources& sources, const char* file,
                     const std::map<std::string, std::string>& row) {
  return {sources.measured_number(file, row, "flop_per_byte"),
          sources.measured_number(file, row, "gflop_per_s") * kGiga / kTera};
}

Axis intensity_axis(double low, double high, std::vector<Tick> marks) {
  return {"FLOP per byte of DRAM", low, high, true, std::move(marks)};
}

const Text kRoofText = small(Tone::kSoft);

// --- Operations under the roof of a datasheet ---

/// FP32 on an A100 according to its datasheet, and a plot of it.
struct A100Chart {
  A100Chart(Drawing& drawing, const Sources& sources, std::vector<Tick> marks, double high)
      : roof(roofline::roof_of(sources.machine("a100-80gb-sxm"), roofline::Precision::kFp32)),
        plot(drawing, {44, 34, 364, 234}, intensity_axis(0.05, high, std::move(marks)),
             {"TFLOP/s in FP32", 0.1, 40, true, ticks({0.1, 1, 10}, 1)}) {
    plot.roof(roof, kTera, {.tone = Tone::kBlue, .width = 2.2});
    const double peak = roof.flops_per_second / kTera;
    const double ridge = roofline::ridge(roof);
    plot.label({high, peak}, {-4, -8}, fmt::format("{:.1f} TFLOP/s", peak),
               small(Tone::kBlue, Anchor::kEnd));
    plot.line({{ridge, peak}, {ridge, 0.1}}, {.tone = Tone::kLine, .width = 1, .dashed = true});
    plot.label({ridge, 0.1}, {6, -10}, fmt::format("ridge {:.1f}", ridge), kRoofText);
  }

  /// A dot at the highest point that the roof allows for the operation, and its name.
  void put(double intensity, Tone tone, Point moved, const std::string& name,
           Anchor anchor = Anchor::kStart) {
    const Point best{intensity, roofline::attainable(roof, intensity) / kTera};
    plot.dots({best}, tone, 5);
    plot.label(best, moved, name, small(tone, anchor));
  }

  Roof roof;
  Plot plot;
};

FIGURE("elementary_operations", [](const Sources& sources) {
  using namespace roofline;
  constexpr double kMany = 1e9;  // elements: so many that one more makes no difference
  constexpr Precision kFp32 = Precision::kFp32;
  Drawing drawing(318, "Elementary operations under the roof of an A100",
                  "Six operations from vector addition to a 3x3 convolution. All lie on the "
                  "slanted line, left of the ridge.");
  A100Chart chart(drawing, sources, ticks({0.1, 1, 10, 100}, 1), 100);
  const auto put = [&](const Operation& operation, const std::string& name, Point moved = {10, 12},
                       Anchor anchor = Anchor::kStart) {
    chart.put(operation.intensity(), Tone::kOrange, moved, name, anchor);
  };
  put(vector_add(kMany, kFp32), "vector addition");
  put(axpy(kMany, kFp32), "SAXPY");
  put(dot(kMany, kFp32), "dot product");
  put(stencil(kMany, 5, kFp32), "5-point stencil");
  put(layer_norm(1, kMany, kFp32), "LayerNorm");
  put(stencil(kMany, 9, kFp32, StencilReuse::kPerfect, true), "3x3 convolution", {-9, -3},
      Anchor::kEnd);
  return drawing;
})

FIGURE("tiling_intensity", [](const Sources& sources) {
  using namespace roofline;
  constexpr double kSide = 4096;
  constexpr Precision kFp32 = Precision::kFp32;
  Drawing drawing(318, "One matrix product, four places on the chart",
                  "If every load came from DRAM, the naive product would lie far left on the "
                  "slope, tiles of 16 nearer to the ridge, tiles of 128 and ideal reuse under the "
                  "ceiling.");
  A100Chart chart(drawing, sources, ticks({0.1, 1, 10, 100, 1000}, 1), 3000);
  const Operation naive = naive_gemm(kSide, kSide, kSide, kFp32);
  const auto tiles = [&](double tile) {
    return tiled_gemm(kSide, kSide, kSide, tile, kFp32, false).intensity();
  };
  chart.put(naive.flops / naive.inner.front().bytes, Tone::kOrange, {10, 12}, "naive loads");
  chart.put(tiles(16), Tone::kOrange, {-10, -3}, "tiles of 16", Anchor::kEnd);
  chart.put(tiles(128), Tone::kGreen, {-8, 20}, "tiles of 128");
  chart.put(naive.intensity(), Tone::kGreen, {0, 20}, "ideal", Anchor::kMiddle);
  return drawing;
})

// --- Moves of a server ---

FIGURE("serving_moves", [](const Sources& sources) {
  using namespace roofline;
  constexpr double kSide = 4096, kFp16Bytes = 2, kFourBits = 0.5, kBatch = 16, kPrompt = 2048;
  const Roof roof = roof_of(sources.machine("h200-sxm"), Precision::kFp16);
  struct Move {
    const char* name;
    double intensity;
    Tone tone;
  };
  const auto layer = [](double weight_bytes, double batch) {
    return layer_intensity({kSide, kSide, weight_bytes, kFp16Bytes}, batch);
  };
  const std::vector<Move> moves = {
      {"one token", layer(kFp16Bytes, 1), Tone::kText},
      {"weights in 4 bits", layer(kFourBits, 1), Tone::kGreen},
      {"16 requests at once", layer(kFp16Bytes, kBatch), Tone::kBlue},
      {"a prompt of 2048 tokens", layer(kFp16Bytes, kPrompt), Tone::kOrange}};
  Drawing drawing(
      318, "What quantising and batching do to a layer, on the chart",
      "A layer of 4096 x 4096 on an H200. One token lies far down the slope. Weights in "
      "4 bits move it up the slope by 4, 16 requests at once by 16. A prompt lies under "
      "the ceiling.");
  Plot plot(drawing, {46, 34, 362, 234},
            {"FLOP per byte of DRAM", 0.3, 5000, true, ticks({1, 10, 100, 1000})},
            {"TFLOP/s in FP16", 1, 2500, true, ticks({1, 10, 100, 1000})});
  plot.roof(roof, kTera, {.tone = Tone::kLine, .width = 2.2});
  const double ridge = roofline::ridge(roof);
  plot.label({ridge, roof.flops_per_second / kTera}, {2, 20}, fmt::format("ridge {:.0f}", ridge),
             kRoofText);
  const double first = attainable(roof, moves.front().intensity);
  for (const Move& move : moves) {
    const double rate = attainable(roof, move.intensity);
    const Point best{move.intensity, rate / kTera};
    plot.dots({best}, move.tone, 5);
    const bool is_on_ceiling = move.intensity > ridge;
    plot.label(best, is_on_ceiling ? Point{60, -10} : Point{10, 12}, move.name,
               {.size = kSmall,
                .anchor = is_on_ceiling ? Anchor::kEnd : Anchor::kStart,
                .tone = move.tone,
                .bold = true});
    if (move.intensity <= moves.front().intensity || is_on_ceiling) continue;
    plot.label(best, {10, 28}, fmt::format("{:.1f} times the tokens", rate / first),
               small(move.tone));
  }
  return drawing;
})

// --- Percent of peak, and percent of the roof ---

FIGURE("percent_of_peak", [](const Sources& sources) {
  const Roof roof = measured_roof(sources, "read");
  struct Kernel {
    const char* name;
    const char* profiled;
  };
  constexpr double kLeft = 10, kScale = 3.3, kHigh = 13, kRow = 50;
  const std::vector<Kernel> kernels = {{"SAXPY", "Saxpy"},
                                       {"fused norm", "fused_norm_kernel"},
                                       {"product, naive", "gemm_naive_kernel"},
                                       {"product, vectorised", "gemm_vectorised_kernel"}};
  Drawing drawing(kRow * static_cast<double>(kernels.size()) + 34,
                  "Four kernels in percent of the peak and of their roof",
                  "SAXPY and the norm reach one to three percent of an H200's FP32 peak and most "
                  "of their roof. The naive product reaches more of the peak, and little of its "
                  "roof.");
  drawing.fill({kLeft, 8, 10, 10}, Tone::kLine, true);
  drawing.text({kLeft + 16, 18}, "of the peak", small());
  drawing.fill({kLeft + 118, 8, 10, 10}, Tone::kBlue, true);
  drawing.text({kLeft + 134, 18}, "of the roof at its FLOP/B", small());
  double y = 44;
  for (const Kernel& kernel : kernels) {
    const Point point = profiled_point(sources, kernel.profiled);
    drawing.text({kLeft, y}, kernel.name, {.size = kSmall, .bold = true});
    const auto bar = [&](double top, double limit, Tone tone) {
      const double percent = 100 * point.y * kTera / limit;
      drawing.fill({kLeft, top, kScale * percent, kHigh}, tone, true);
      drawing.text({kLeft + kScale * percent + 6, top + 11},
                   fmt::format("{} %", trimmed(percent, percent < 10 ? 1 : 0)), small());
    };
    bar(y + 5, roof.flops_per_second, Tone::kLine);
    bar(y + 6 + kHigh, roofline::attainable(roof, point.x), Tone::kBlue);
    y += kRow;
  }
  return drawing;
})

// --- Six operations on two machines ---

FIGURE("six_operations", [](const Sources&) {
  const Roof old = docs::kSixRoof, next{2 * old.flops_per_second, old.bytes_per_second};
  Drawing drawing(318, "Six operations under two roofs",
                  "Operations 1 to 3 lie on the slope, 4 to 6 under the ceiling. With twice the "
                  "FLOP/s 5 and 6 rise by two, 4 only to the slope, and 1 to 3 stay.");
  Plot plot(drawing, {50, 34, 356, 234}, {"FLOP/B", 1, 400, true, ticks({1, 10, 100})},
            {"GFLOP/s", 100, 20000, true, ticks({100, 1000, 10000})});
  plot.roof(next, kGiga, {.tone = Tone::kGreen, .width = 1.8, .dashed = true});
  plot.roof(old, kGiga, {.tone = Tone::kBlue, .width = 2.2});
  for (const auto& [roof, tone] : {std::pair{old, Tone::kBlue}, {next, Tone::kGreen}}) {
    plot.label({1, roof.flops_per_second / kGiga}, {8, 5},
               fmt::format("{:.0f} GFLOP/s", roof.flops_per_second / kGiga), small(tone));
  }
  int number = 0;
  for (const roofline::Work& work : docs::six_operations()) {
    ++number;
    const double intensity = roofline::arithmetic_intensity(work.flops, work.bytes);
    const Point at{intensity, roofline::attainable(old, intensity) / kGiga};
    const Point after{intensity, roofline::attainable(next, intensity) / kGiga};
    if (after.y > at.y) {
      const Point from = plot.at(at.x, at.y), to = plot.at(after.x, after.y);
      drawing.arrow({from.x, from.y - 6}, {to.x, to.y + 6}, {.tone = Tone::kGreen});
      plot.dots({after}, Tone::kGreen, 4);
    }
    plot.dots({at}, Tone::kOrange, 5);
    plot.label(at, {0, 19}, fmt::to_string(number),
               {.size = kSmall, .anchor = Anchor::kMiddle, .tone = Tone::kOrange, .bold = true});
  }
  return drawing;
})

// --- Four frames ---

FIGURE("roofline_frames", [](const Sources& sources) {
  const Roof roof = measured_roof(sources, "triad");
  const double ridge = roofline::ridge(roof);
  const double peak = roof.flops_per_second / kTera;
  const Point saxpy = measured_point(sources, "h200_peaks.csv", {{"program", "saxpy"}});
  const Point product = profiled_point(sources, "gemm_vectorised");
  Drawing drawing(
      462, "A roofline in four steps",
      "First the ceiling of the arithmetic, then the slope of the memory, then the ridge "
      "where they meet, at last two measured kernels: one on the slope, one under the "
      "ceiling.");
  const char* const titles[] = {"1  Arithmetic: a ceiling", "2  Memory: a slope",
                                "3  They meet: the ridge", "4  Kernels lie below"};
  for (int frame = 0; frame < 4; ++frame) {
    const double x = 210.0 * (frame % 2), y = 230.0 * (frame / 2);
    drawing.text({x + 8, y + 20}, titles[frame], {.bold = true});
    Plot plot(drawing, {x + 38, y + 50, 160, 126},
              {"", 0.05, 2000, true, ticks({0.1, 1, 10, 100, 1000}, 1)},
              {"", 0.1, 200, true, ticks({0.1, 1, 10, 100}, 1)});
    drawing.text({x + 8, y + 42}, "TFLOP/s", kRoofText);
    drawing.text({x + 198, y + 210}, "FLOP/B", small(Tone::kSoft, Anchor::kEnd));
    if (frame >= 2) {
      const Point top = plot.at(ridge, peak);
      const Point begin = plot.at(0.05, roofline::attainable(roof, 0.05) / kTera);
      drawing.area({begin, top, {top.x, plot.bottom()}, {begin.x, plot.bottom()}}, Tone::kOrange);
      drawing.area({top, plot.at(2000, peak), plot.at(2000, 0.1), {top.x, plot.bottom()}},
                   Tone::kBlue);
    }
    if (frame < 2) {
      plot.line({{0.05, peak}, {2000, peak}}, {.tone = Tone::kBlue, .width = 2.2});
      plot.label({0.07, peak}, {0, -6}, fmt::format("{:.1f} TFLOP/s", peak), small(Tone::kBlue));
    }
    if (frame == 1) {
      plot.line({{0.05, roofline::attainable(roof, 0.05) / kTera},
                 {200 / (roof.bytes_per_second / kTera), 200}},
                {.tone = Tone::kOrange, .width = 2.2});
      plot.label({1, roof.bytes_per_second / kTera}, {10, 12},
                 fmt::format("{:.2f} TB/s", roof.bytes_per_second / kTera), small(Tone::kOrange));
    }
    if (frame >= 2) plot.roof(roof, kTera, {.width = 2.2});
    if (frame == 2) {
      plot.dots({{ridge, peak}}, Tone::kRed, 5);
      plot.line({{ridge, peak}, {ridge, 0.1}}, {.tone = Tone::kRed, .width = 1, .dashed = true});
      plot.label({ridge, peak}, {0, -9}, fmt::format("{:.1f} FLOP/B", ridge),
                 {.size = kSmall, .anchor = Anchor::kMiddle, .tone = Tone::kRed, .bold = true});
      plot.label({ridge, 0.1}, {-8, -28}, "memory", small(Tone::kOrange, Anchor::kEnd));
      plot.label({ridge, 0.1}, {-8, -12}, "bound", small(Tone::kOrange, Anchor::kEnd));
      plot.label({ridge, 0.1}, {8, -28}, "compute", small(Tone::kBlue));
      plot.label({ridge, 0.1}, {8, -12}, "bound", small(Tone::kBlue));
    }
    if (frame == 3) {
      plot.dots({saxpy}, Tone::kOrange, 5);
      plot.label(saxpy, {9, 11}, "SAXPY", small(Tone::kOrange));
      plot.dots({product}, Tone::kBlue, 5);
      plot.label(product, {12, 20}, "product", small(Tone::kBlue, Anchor::kMiddle));
    }
  }
  return drawing;
})

// --- Measured kernels ---

FIGURE("roofline_h200", [](const Sources& sources) {
  const Roof roof = measured_roof(sources, "triad");
  const double cell = sources.measured_number(
      "saxpy_h200.csv", {{"kernel", "four elements per thread"}}, "gb_per_s_median");
  const Point saxpy{1.0 / 6, cell * kGiga / 6 / kTera};  // 2 FLOPs for 12 bytes
  Drawing drawing(330, "The measured roofline of an H200 with SAXPY",
                  "A slope of the memory bandwidth that bends into the flat ceiling of the FP32 "
                  "units. SAXPY lies just under the slope, far left of the bend.");
  Plot plot(drawing, {44, 34, 364, 244}, intensity_axis(0.05, 200, ticks({0.1, 1, 10, 100}, 1)),
            {"TFLOP/s in FP32", 0.2, 150, true, ticks({1, 10, 100})});
  plot.roof(roof, kTera, {.tone = Tone::kBlue, .width = 2.5});
  const double peak = roof.flops_per_second / kTera;
  plot.label({200, peak}, {-4, -9}, fmt::format("FP32, {:.1f} TFLOP/s", peak),
             {.size = kNormal, .anchor = Anchor::kEnd, .tone = Tone::kBlue});
  plot.label({1, roof.bytes_per_second / kTera}, {-12, -10},
             fmt::format("triad, {:.2f} TB/s", roof.bytes_per_second / kTera),
             {.size = kNormal, .anchor = Anchor::kEnd, .tone = Tone::kBlue});
  plot.line({{saxpy.x, saxpy.y}, {saxpy.x, 0.2}},
            {.tone = Tone::kOrange, .width = 1, .dashed = true});
  plot.dots({saxpy}, Tone::kOrange, 6);
  plot.label(saxpy, {12, 16}, "SAXPY", {.size = kLarge, .tone = Tone::kOrange, .bold = true});
  plot.label(saxpy, {12, 34}, fmt::format("{:.0f} GFLOP/s", saxpy.y * kTera / kGiga),
             {.size = kNormal, .tone = Tone::kOrange});
  const double ridge = roofline::ridge(roof);
  plot.line({{ridge, peak}, {ridge, 0.2}}, {.tone = Tone::kLine, .width = 1, .dashed = true});
  plot.label({ridge, 0.2}, {6, -10}, fmt::format("ridge {:.0f}", ridge),
             {.size = kNormal, .tone = Tone::kSoft});
  return drawing;
})

FIGURE("03_ladder_h200", [](const Sources& sources) {
  const Roof roof = measured_roof(sources, "triad");
  const double peak = roof.flops_per_second / kTera;
  Drawing drawing(
      350, "Kernels of this topic under the roof of an H200",
      "The sweep walks along the roof. The four products lie where the profiler saw "
      "them: naive and tiled at low intensity and far below the roof, the other two far "
      "to the right, the last near the ceiling.");
  Plot plot(drawing, {44, 34, 364, 262},
            intensity_axis(0.1, 1500, ticks({0.1, 1, 10, 100, 1000}, 1)),
            {"TFLOP/s in FP32", 0.4, 150, true, ticks({1, 10, 100})});
  plot.roof(roof, kTera, {.tone = Tone::kSoft, .width = 2});
  plot.label({0.1, peak}, {6, -8}, fmt::format("{:.1f} TFLOP/s", peak), kRoofText);
  plot.label({3, 3 * roof.bytes_per_second / kTera}, {-12, -9},
             fmt::format("triad {:.2f} TB/s", roof.bytes_per_second / kTera),
             small(Tone::kSoft, Anchor::kEnd));
  std::vector<Point> sweep;
  for (const char* steps : {"1", "10", "100", "1000"}) {
    sweep.push_back(measured_point(sources, "roofline_sweep_h200.csv", {{"iterations", steps}}));
  }
  plot.line(sweep, {.tone = Tone::kGreen, .width = 1, .dashed = true});
  plot.dots(sweep, Tone::kGreen, 4.5);
  plot.label(sweep[0], {12, 5}, "sweep: 1, 10, 100, 1000 FMAs a number", small(Tone::kGreen));
  struct Rung {
    const char* kernel;
    const char* name;
    Point moved;
    Anchor anchor;
  };
  const std::vector<Rung> rungs = {{"gemm_naive", "naive", {-6, 20}, Anchor::kMiddle},
                                   {"gemm_tiled", "tiled", {10, 5}, Anchor::kStart},
                                   {"gemm_registers", "registers", {4, 20}, Anchor::kMiddle},
                                   {"gemm_vectorised", "vectorised", {-9, 6}, Anchor::kEnd}};
  std::vector<Point> path;
  for (const Rung& rung : rungs) path.push_back(profiled_point(sources, rung.kernel));
  plot.line(path, {.tone = Tone::kOrange, .width = 1, .dashed = true});
  plot.dots(path, Tone::kOrange, 5);
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    plot.label(path[i], rungs[i].moved, rungs[i].name,
               {.size = kSmall, .anchor = rungs[i].anchor, .tone = Tone::kOrange, .bold = true});
  }
  return drawing;
})

// --- Several ceilings ---

FIGURE("ceilings", [](const Sources& sources) {
  const roofline::Machine machine = sources.machine("h200-sxm");
  const roofline::Machine measured = roofline::load_machine(sources.measured("h200_roofs.json"));
  const auto peak = [&](roofline::Unit unit) {
    return roofline::find_peak(machine, roofline::Precision::kFp16, unit)->operations_per_second;
  };
  const double vector = peak(roofline::Unit::kVector);
  // Clocks until the result of a multiply-add can be used; one could start in each of them.
  const double clocks = machine.multiprocessor.value().dependent_clocks;
  struct Ceiling {
    std::string name;
    double rate;
  };
  const std::vector<Ceiling> ceilings = {{"matrix units", peak(roofline::Unit::kMatrix)},
                                         {"vector units, FMA", vector},
                                         {"no FMA", vector / 2},
                                         {"one chain", vector / clocks}};
  struct Slope {
    const char* name;
    double rate;
    Tone tone;
  };
  const std::vector<Slope> slopes = {{"L1", measured_l1(sources), Tone::kGreen},
                                     {"L2", roofline::bandwidth(measured, "L2"), Tone::kOrange},
                                     {"DRAM", measured.streams.at("read"), Tone::kPurple}};
  Drawing drawing(330, "Ceilings and slopes of an H200 in FP16",
                  "Four ceilings under one another, each the limit of code that lacks something, "
                  "and the slopes of L1, L2 and DRAM.");
  constexpr double kLow = 0.5, kHigh = 2000;
  Plot plot(drawing, {44, 34, 364, 244},
            {"FLOP per byte of that level", kLow, kHigh, true, ticks({1, 10, 100, 1000})},
            {"TFLOP/s in FP16", 2, 2000, true, ticks({10, 100, 1000})});
  const double top = ceilings.front().rate;
  for (const Slope& slope : slopes) {
    const double ridge = top / slope.rate;
    plot.line({{kLow, kLow * slope.rate / kTera}, {ridge, top / kTera}},
              {.tone = slope.tone, .width = 1.8});
    plot.label({ridge, top / kTera}, {0, -7}, slope.name,
               {.size = kSmall, .anchor = Anchor::kMiddle, .tone = slope.tone, .bold = true});
  }
  for (const Ceiling& ceiling : ceilings) {
    const double from = ceiling.rate / slopes.front().rate;
    plot.line({{from, ceiling.rate / kTera}, {kHigh, ceiling.rate / kTera}},
              {.tone = Tone::kBlue,
               .width = &ceiling == &ceilings.front() ? 2.4 : 1.2,
               .dashed = &ceiling != &ceilings.front()});
    plot.label({kHigh, ceiling.rate / kTera}, {-2, ceiling.rate == top ? 17.0 : -6.0},
               fmt::format("{} {:.0f}", ceiling.name, ceiling.rate / kTera),
               small(Tone::kBlue, Anchor::kEnd));
  }
  return drawing;
})

// --- How a point moves ---

FIGURE("point_moves", [](const Sources& sources) {
  const roofline::Roof roof =
      roofline::roof_of(sources.machine("h200-sxm"), roofline::Precision::kFp32);
  const double matrix =
      roofline::roof_of(sources.machine("h200-sxm"), roofline::Precision::kTf32).flops_per_second;
  Drawing drawing(
      330, "Four ways in which a point moves",
      "Up at equal intensity, diagonally along the slope, right at equal rate, and from "
      "one ceiling to a higher one.");
  constexpr double kLow = 0.1, kHigh = 1500;
  Plot plot(drawing, {44, 34, 364, 244},
            {"FLOP per byte of DRAM", kLow, kHigh, true, ticks({0.1, 1, 10, 100, 1000}, 1)},
            {"TFLOP/s", 0.1, 1500, true, ticks({0.1, 1, 10, 100, 1000}, 1)});
  const auto attained = [&](double intensity) {
    return roofline::attainable(roof, intensity) / kTera;
  };
  const double matrix_ridge = matrix / roof.bytes_per_second;
  plot.line({{roof.flops_per_second / roof.bytes_per_second, roof.flops_per_second / kTera},
             {matrix_ridge, matrix / kTera},
             {kHigh, matrix / kTera}},
            {.tone = Tone::kSoft, .width = 1.4, .dashed = true});
  plot.roof(roof, kTera, {.tone = Tone::kText, .width = 2.2});
  plot.label({kLow, roof.flops_per_second / kTera}, {8, 4}, "FP32 vectors", small(Tone::kSoft));
  plot.label({kLow, matrix / kTera}, {8, 4}, "TF32 matrix units", small(Tone::kSoft));
  constexpr double kNear = 0.85, kFar = 0.2, kIdle = 0.01;  // fractions of the roof
  struct Move {
    const char* name;
    const char* how;
    Point from;
    Point to;
    Tone tone;
    Point moved;  ///< offset of the text from the point's new position
    Anchor anchor;
  };
  const std::vector<Move> moves = {{"up",
                                    "less waiting",
                                    {5, kFar * attained(5)},
                                    {5, kNear * attained(5)},
                                    Tone::kGreen,
                                    {12, 26},
                                    Anchor::kStart},
                                   {"diagonal",
                                    "fewer bytes",
                                    {0.17, kNear * attained(0.17)},
                                    {0.5, kNear * attained(0.5)},
                                    Tone::kBlue,
                                    {12, 14},
                                    Anchor::kStart},
                                   {"right",
                                    "bytes that nobody waited for",
                                    {12, kIdle * attained(12)},
                                    {150, kIdle * attained(12)},
                                    Tone::kRed,
                                    {8, 22},
                                    Anchor::kEnd},
                                   {"another roof",
                                    "",
                                    {300, kNear * attained(300)},
                                    {300, kNear * matrix / kTera},
                                    Tone::kPurple,
                                    {0, 72},
                                    Anchor::kMiddle}};
  for (const Move& move : moves) {
    plot.dots({move.from}, Tone::kLine, 4.5);
    const Point from = plot.at(move.from.x, move.from.y), to = plot.at(move.to.x, move.to.y);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const auto between = [&](double part) {
      return Point{from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
    };
    drawing.arrow(between(6 / length), between(1 - 7 / length), {.tone = move.tone, .width = 2});
    plot.dots({move.to}, move.tone, 4.5);
    plot.label(move.to, move.moved, move.name,
               {.size = kNormal, .anchor = move.anchor, .tone = move.tone, .bold = true});
    if (*move.how == 0) continue;
    plot.label(move.to, {move.moved.x, move.moved.y + 15}, move.how, small(move.tone, move.anchor));
  }
  return drawing;
})

// --- Peaks ---

FIGURE("peaks_by_precision", [](const Sources& sources) {
  using roofline::Precision;
  using roofline::Unit;
  struct Column {
    const char* name;
    Precision precision;
    Unit unit;
  };
  const std::vector<Column> columns = {
      {"FP64", Precision::kFp64, Unit::kVector}, {"FP32", Precision::kFp32, Unit::kVector},
      {"TF32", Precision::kTf32, Unit::kMatrix}, {"FP16", Precision::kFp16, Unit::kMatrix},
      {"FP8", Precision::kFp8, Unit::kMatrix},   {"FP4", Precision::kFp4, Unit::kMatrix}};
  struct Chip {
    const char* machine;
    const char* name;
    Tone tone;
    double moved;  ///< offset of the label, which is behind the last point
  };
  constexpr double kLow = 4, kHigh = 20000;
  Drawing drawing(330, "Dense peaks of three GPUs by precision",
                  "From FP32 on vector units to TF32 on matrix units the peak rises by a factor of "
                  "seven to fifteen, and doubles at each further step. FP64 hardly grew.");
  const double last = static_cast<double>(columns.size()) - 1;
  std::vector<Tick> names;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    names.push_back({static_cast<double>(i), columns[i].name});
  }
  Plot plot(drawing, {50, 36, 358, 230}, {"", -0.4, last + 0.4, false, names},
            {"dense TFLOP/s", kLow, kHigh, true, ticks({10, 100, 1000, 10000})});
  plot.line({{1.5, kLow}, {1.5, kHigh}}, {.tone = Tone::kSoft, .width = 1.2, .dashed = true});
  const Point units = plot.at(1.5, kLow);
  drawing.text({units.x - 8, plot.bottom() + 38}, "vector units", small(Tone::kSoft, Anchor::kEnd));
  drawing.text({units.x + 8, plot.bottom() + 38}, "matrix units", small(Tone::kSoft));
  for (const Chip& chip :
       {Chip{"a100-80gb-sxm", "A100", Tone::kOrange, 20}, Chip{"h100-sxm", "H100", Tone::kBlue, 20},
        Chip{"b200-hgx", "B200", Tone::kPurple, -10}}) {
    const roofline::Machine machine = sources.machine(chip.machine);
    std::vector<Point> points;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const roofline::Peak* peak =
          roofline::find_peak(machine, columns[i].precision, columns[i].unit);
      if (peak != nullptr) {
        points.push_back({static_cast<double>(i), peak->operations_per_second / kTera});
      }
    }
    plot.line(points, {.tone = chip.tone, .width = 2});
    plot.dots(points, chip.tone, 4.5);
    plot.label(points.back(), {0, chip.moved}, chip.name,
               {.size = kNormal, .anchor = Anchor::kMiddle, .tone = chip.tone, .bold = true});
  }
  return drawing;
})

// --- Levels of memory ---

FIGURE("hierarchical_roofline", [](const Sources& sources) {
  const roofline::Machine machine = roofline::load_machine(sources.measured("h200_roofs.json"));
  const roofline::KernelCounts counts = profiled(sources, "gemm_naive");
  const double rate = counts.flops() / counts.seconds / kTera;
  const double peak = measured_roof(sources, "triad").flops_per_second;
  constexpr double kSize = 4096;
  const roofline::Operation naive =
      roofline::naive_gemm(kSize, kSize, kSize, roofline::Precision::kFp32);
  struct Level {
    const char* name;
    double bytes_per_second;
    double intensity;
    Tone tone;
  };
  const std::vector<Level> levels = {
      {"L1", measured_l1(sources), counts.flops() / counts.bytes.at("L1"), Tone::kGreen},
      {"L2", roofline::bandwidth(machine, "L2"), counts.flops() / counts.bytes.at("L2"),
       Tone::kOrange},
      {"DRAM", machine.streams.at("read"), counts.flops() / counts.bytes.at("DRAM"),
       Tone::kPurple}};
  Drawing drawing(392, "One kernel, a point at every level of memory",
                  "Slopes of L1, L2 and DRAM under one ceiling. The naive product has one rate and "
                  "another intensity at each level; it is nearest to the slope of L1, its limit.");
  Plot plot(drawing, {44, 34, 364, 250},
            {"FLOP per byte of that level", 0.1, 100, true, ticks({0.1, 1, 10, 100}, 1)},
            {"TFLOP/s in FP32", 0.5, 150, true, ticks({1, 10, 100})});
  for (const Level& level : levels) {
    plot.roof({peak, level.bytes_per_second}, kTera, {.tone = level.tone, .width = 1.8});
  }
  // The heights to which each level allows the kernel to rise.
  const double issued = naive.flops / naive.inner.at(0).bytes;
  plot.line({{issued, rate}, {levels.back().intensity, rate}}, {.tone = Tone::kLine, .width = 1.2});
  for (const Level& level : levels) {
    const double roof =
        roofline::attainable({peak, level.bytes_per_second}, level.intensity) / kTera;
    plot.line({{level.intensity, rate}, {level.intensity, roof}},
              {.tone = level.tone, .width = 1.2, .dashed = true});
    plot.dots({{level.intensity, rate}}, level.tone, 5.5);
    // The name of L1 is between the slopes of L1 and L2.
    plot.label({level.intensity, rate}, {level.intensity < 1 ? -17.0 : 0.0, 20}, level.name,
               {.size = kNormal, .anchor = Anchor::kMiddle, .tone = level.tone, .bold = true});
  }
  plot.dots({{issued, rate}}, Tone::kSoft, 5.5);
  plot.label({issued, rate}, {-6, -12}, "loads", small(Tone::kSoft, Anchor::kEnd));
  plot.label({0.1, peak / kTera}, {6, -8}, fmt::format("{:.1f} TFLOP/s", peak / kTera), kRoofText);
  double y = 342;
  for (const Level& level : levels) {
    const double roof =
        roofline::attainable({peak, level.bytes_per_second}, level.intensity) / kTera;
    drawing.text({10, y}, level.name, {.tone = level.tone, .bold = true});
    drawing.text({64, y}, fmt::format("{:.1f} TB/s x {:.1f} FLOP/B allow {:.1f} TFLOP/s",
                                      level.bytes_per_second / kTera, level.intensity, roof));
    y += 19;
  }
  return drawing;
})

// --- Energy ---

FIGURE("energy_roofline", [](const Sources&) {
  constexpr roofline::EnergyCosts kCosts{0.3e-12, 20e-12};
  const double ridge = roofline::energy_ridge(kCosts);
  const double most = 1 / kCosts.joules_per_flop / kTera;
  constexpr double kLow = 1, kHigh = 4000;
  Drawing drawing(312, "The roofline of energy",
                  "FLOPs a joule over the intensity, with the two lines of a roofline for "
                  "comparison. The curve is an arch: at the ridge it reaches half of the most.");
  Plot plot(drawing, {52, 34, 356, 226},
            {"FLOP per byte", kLow, kHigh, true, ticks({1, 10, 100, 1000})},
            {"TFLOP per joule", 0.03, 6, true, ticks({0.1, 1}, 1)});
  plot.line({{kLow, kLow / kCosts.joules_per_byte / kTera}, {ridge, most}, {kHigh, most}},
            {.tone = Tone::kLine, .width = 1.5, .dashed = true});
  std::vector<Point> arch;
  for (double intensity = kLow; intensity <= kHigh; intensity *= 1.1) {
    arch.push_back({intensity, roofline::flops_per_joule(kCosts, intensity) / kTera});
  }
  plot.line(arch, {.tone = Tone::kGreen, .width = 2.5});
  const Point half{ridge, roofline::flops_per_joule(kCosts, ridge) / kTera};
  plot.line({{ridge, most}, {ridge, 0.03}}, {.tone = Tone::kRed, .width = 1, .dashed = true});
  plot.dots({half}, Tone::kRed, 5);
  plot.label(half, {12, 14}, "half of the energy moves", small(Tone::kRed));
  plot.label({ridge, 0.03}, {8, -10}, fmt::format("ridge {:.1f} FLOP/B", ridge), small(Tone::kRed));
  plot.label(
      {kLow, most}, {6, -7},
      fmt::format("{:.1f} TFLOP/J: {} pJ a FLOP", most, trimmed(kCosts.joules_per_flop * kTera, 1)),
      kRoofText);
  plot.label({4, 4 / kCosts.joules_per_byte / kTera}, {14, 14},
             fmt::format("{} pJ a byte", trimmed(kCosts.joules_per_byte * kTera, 0)),
             small(Tone::kSoft));
  return drawing;
})

FIGURE("energy_measured", [](const Sources& sources) {
  const roofline::Report report = roofline::read_report(sources.measured("h200_roofs_full.json"));
  const roofline::EnergyCosts costs = report.energy.value().fit.value().costs;
  // The rates reached by the loads with which the energy was measured.
  roofline::Roof roof;
  std::vector<Point> measured;
  for (const roofline::EnergyPoint& load : report.energy.value().sweep) {
    roof.flops_per_second = std::max(roof.flops_per_second, load.flops_per_second);
    roof.bytes_per_second = std::max(roof.bytes_per_second, load.bytes_per_second);
    measured.push_back({load.flops_per_second / load.bytes_per_second,
                        load.flops_per_second / load.watts / kGiga});
  }
  constexpr double kLow = 0.18, kHigh = 100;
  Drawing drawing(
      312, "FLOPs a joule of an H200, measured",
      "Eight measured loads lie on the arch that their energy costs and the static power "
      "draw. Without static power the arch would be almost twice as high.");
  Plot plot(drawing, {52, 34, 356, 226}, {"FLOP per byte", kLow, kHigh, true, ticks({1, 10, 100})},
            {"GFLOP per joule", 1, 300, true, ticks({1, 10, 100})});
  std::vector<Point> all, moving;
  for (double intensity = kLow; intensity <= kHigh; intensity *= 1.05) {
    const double without = 1 / roofline::flops_per_joule(costs, intensity);
    const double at_rest = costs.idle_watts / roofline::attainable(roof, intensity);
    all.push_back({intensity, 1 / (without + at_rest) / kGiga});
    moving.push_back({intensity, 1 / without / kGiga});
  }
  plot.line(moving, {.tone = Tone::kPurple, .width = 1.5, .dashed = true});
  plot.line(all, {.tone = Tone::kGreen, .width = 2.5});
  plot.dots(measured, Tone::kOrange, 4.5);
  plot.label(measured[2], {10, 16}, "measured", {.size = kNormal, .tone = Tone::kOrange});
  plot.label(moving[moving.size() / 2], {-8, -8}, "without static power",
             small(Tone::kPurple, Anchor::kEnd));
  const double ridge = roofline::energy_ridge(costs);
  plot.line({{ridge, 1}, {ridge, roofline::flops_per_joule(costs, ridge) / kGiga}},
            {.tone = Tone::kRed, .width = 1, .dashed = true});
  plot.label({ridge, 1}, {-6, -10}, fmt::format("energy's ridge {:.1f} FLOP/B", ridge),
             small(Tone::kRed, Anchor::kEnd));
  return drawing;
})

}  // namespace
}  // namespace figures
