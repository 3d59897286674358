// SPDX-License-Identifier: MIT
// Charts of measurements and predictions: the memory ladder, streams, layers and steps over the
// batch, experts, predictions against measurements, launches against graphs, the spread of runs,
// shares of a datasheet.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "base/csv.hpp"
#include "figure.hpp"
#include "plot.hpp"
#include "roofline/bounds.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/parameters.hpp"
#include "roofline/machine.hpp"
#include "roofline/measurement.hpp"
#include "shared.hpp"

namespace figures {
namespace {

namespace llm = roofline::llm;

using namespace base::prefixes;

/// Points from two columns, for the rows that satisfy `wanted`.
std::vector<Point> points(const base::CsvFile& csv, const std::string& x, const std::string& y,
                          const std::function<bool(std::size_t)>& wanted) {
  std::vector<Point> result;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    if (wanted(row)) result.push_back({std::stod(csv.field(row, x)), std::stod(csv.field(row, y))});
  }
  return result;
}

// --- Memory ---

FIGURE("memory_ladder", [](const Sources& sources) {
  const base::CsvFile csv(sources.measured("h200_ladder.csv"));
  const roofline::Machine sheet = sources.machine("h200-sxm");
  constexpr double kElement = 8;
  const auto ladder = [&](const std::string& shift) {
    std::vector<Point> steps = points(
        csv, "n", "gb_per_s", [&](std::size_t row) { return csv.field(row, "shift") == shift; });
    for (Point& step : steps) step = {step.x * kElement / kMega, step.y * kGiga / kTera};
    return steps;
  };
  Drawing drawing(
      318, "The memory ladder of an H200",
      "Bandwidth over the working set. It rises while too few bytes are read to keep all "
      "multiprocessors busy, is highest where the data fits in L1, lower where L2 serves "
      "it, and falls to the rate of DRAM beyond.");
  Plot plot(drawing, {36, 34, 372, 230}, {"working set, MB", 0.4, 400, true, ticks({1, 10, 100})},
            {"TB/s", 0, 21, false, ticks({0, 5, 10, 15, 20})});
  const roofline::MemoryLevel& l1 = roofline::memory_level(sheet, "L1");
  const double all_l1 = l1.capacity_bytes.value() * l1.instances / kMega;
  const double l2 = roofline::memory_level(sheet, "L2").capacity_bytes.value() / kMega;
  plot.line({{all_l1, 0}, {all_l1, 21}}, {.tone = Tone::kGreen, .width = 1, .dashed = true});
  plot.line({{l2, 0}, {l2, 21}}, {.tone = Tone::kOrange, .width = 1, .dashed = true});
  plot.label({all_l1, 1}, {-6, 0}, fmt::format("all L1s, {:.0f} MB", all_l1),
             small(Tone::kGreen, Anchor::kEnd));
  plot.label({l2, 21}, {6, 10}, fmt::format("L2, {:.0f} MB", l2), small(Tone::kOrange));
  const std::vector<Point> own = ladder("0"), moving = ladder("1");
  plot.line(own, {.tone = Tone::kGreen, .width = 2});
  plot.dots(own, Tone::kGreen);
  plot.line(moving, {.tone = Tone::kOrange, .width = 2});
  plot.dots(moving, Tone::kOrange);
  plot.label(own[3], {-10, -2}, "each block its own",
             {.size = kNormal, .anchor = Anchor::kEnd, .tone = Tone::kGreen});
  plot.label(own[3], {-10, 14}, "piece: L1 serves it",
             {.size = kNormal, .anchor = Anchor::kEnd, .tone = Tone::kGreen});
  const Text served_by_l2 = small(Tone::kOrange, Anchor::kEnd);
  drawing.text({408, 138}, "pieces move on:", served_by_l2);
  drawing.text({408, 154}, "L2 serves", served_by_l2);
  plot.label(own.back(), {0, 22}, "DRAM",
             {.size = kNormal, .anchor = Anchor::kMiddle, .tone = Tone::kPurple, .bold = true});
  return drawing;
})

FIGURE("bytes_in_flight", [](const Sources& sources) {
  const roofline::Report report = roofline::read_report(sources.measured("h200_roofs_full.json"));
  double read = 0, latency = 0;
  for (const roofline::MeasuredRoof& roof : report.roofs) {
    if (roof.name == "read") read = roof.rate.median;
    if (roof.kind == roofline::RoofKind::kLatency && roof.level == "DRAM") {
      latency = roof.rate.median;
    }
  }
  if (!(read > 0 && latency > 0)) throw std::runtime_error("no read roof, or no latency of DRAM");
  std::vector<Point> measured;
  for (const roofline::ConcurrencyPoint& point : report.in_flight) {
    measured.push_back({point.bytes_per_unit / kKibi, point.bytes_per_second / kTera});
  }
  Drawing drawing(296, "Bandwidth over the bytes in flight on an H200",
                  "Measured: DRAM's bandwidth grows in proportion to the bytes in flight on each "
                  "multiprocessor, follows the line that Little's law draws, bends where memory "
                  "begins to queue, and ends at the roof of reading.");
  Plot plot(drawing, {36, 34, 372, 212},
            {"KiB in flight on each of 132 multiprocessors",
             0.4,
             160,
             true,
             {{0.5, "0.5"},
              {1, "1"},
              {2, "2"},
              {4, "4"},
              {8, "8"},
              {16, "16"},
              {32, "32"},
              {64, "64"},
              {128, "128"}}},
            {"TB/s",
             0.1,
             6,
             true,
             {{0.1, "0.1"}, {0.2, "0.2"}, {0.5, "0.5"}, {1, "1"}, {2, "2"}, {5, "5"}}});
  // Little's law, up to the roof: bytes in flight over the latency of idle memory.
  const double knee = read * latency / report.device.units / kKibi;
  const double per_kib = kKibi * report.device.units / latency / kTera;
  plot.line({{0.4, 0.4 * per_kib}, {knee, read / kTera}},
            {.tone = Tone::kGreen, .width = 1.5, .dashed = true});
  plot.line({{0.4, read / kTera}, {160, read / kTera}},
            {.tone = Tone::kPurple, .width = 1.5, .dashed = true});
  plot.line(measured, {.tone = Tone::kOrange, .width = 2});
  plot.dots(measured, Tone::kOrange);
  plot.label({0.4, read / kTera}, {6, -6},
             fmt::format("roof of reading, {:.2f} TB/s", read / kTera), small(Tone::kPurple));
  plot.label({2, 2 * per_kib}, {-8, -8}, fmt::format("bytes / {:.0f} ns", latency * 1e9),
             small(Tone::kGreen, Anchor::kEnd));
  plot.label(measured[4], {12, 14}, "measured", {.size = kNormal, .tone = Tone::kOrange});
  return drawing;
})

FIGURE("streams", [](const Sources& sources) {
  const roofline::Machine measured = roofline::load_machine(sources.measured("h200_roofs.json"));
  const double sheet = roofline::bandwidth(sources.machine("h200-sxm"));
  struct Stream {
    const char* name;
    int reads, writes;
  };
  const std::vector<Stream> streams = {{"read", 1, 0}, {"triad", 2, 1}, {"add", 2, 1},
                                       {"copy", 1, 1}, {"scale", 1, 1}, {"write", 0, 1}};
  constexpr double kStep = 30, kTop = 50, kLeft = 132, kLong = 270;
  Drawing drawing(kTop + kStep * static_cast<double>(streams.size()) + 12,
                  "DRAM bandwidth by the mix of reads and writes",
                  "Measured bandwidth of six streams on an H200: reading only and writing only are "
                  "faster than mixes, copies are slowest.");
  drawing.text({10, 20}, "reads : writes", small(Tone::kSoft));
  drawing.text({kLeft + kLong, 20}, fmt::format("datasheet {:.1f} TB/s", sheet / kTera),
               small(Tone::kSoft, Anchor::kEnd));
  double y = kTop - 18;
  for (const Stream& stream : streams) {
    const double rate = measured.streams.at(stream.name);
    drawing.text({10, y + 17}, stream.name);
    drawing.text({82, y + 17}, fmt::format("{} : {}", stream.reads, stream.writes),
                 {.tone = Tone::kSoft});
    const Tone tone = stream.writes == 0  ? Tone::kBlue
                      : stream.reads == 0 ? Tone::kOrange
                                          : Tone::kPurple;
    drawing.box({kLeft, y, kLong * rate / sheet, 24}, tone,
                {fmt::format("{:.2f} TB/s, {:.0f} %", rate / kTera, 100 * rate / sheet)});
    y += kStep;
  }
  drawing.line({kLeft + kLong, 28}, {kLeft + kLong, y}, {.tone = Tone::kLine, .dashed = true});
  return drawing;
})

// --- The plateau of multiply-adds ---

FIGURE("plateau", [](const Sources& sources) {
  Drawing drawing(
      258, "The rate of multiply-adds over chains and over iterations",
      "FP32 rates of an H200 and of one core of an EPYC. Left over the independent chains "
      "of a thread, right over the iterations of the loop: all four rise and then stay "
      "flat.");
  struct Panel {
    const char* column;
    const char* label;
    const char* files[2];
    double high;
    std::vector<double> marks;
  };
  const std::vector<Panel> panels = {{"chains",
                                      "chains a thread",
                                      {"h200_fma_chains.csv", "cpu_fma_chains.csv"},
                                      256,
                                      {1, 4, 16, 64}},
                                     {"iterations",
                                      "iterations",
                                      {"h200_fma_iterations.csv", "cpu_fma_iterations.csv"},
                                      20000,
                                      {1, 16, 256, 4096}}};
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Panel& panel = panels[i];
    const bool is_left = i == 0;
    Plot plot(drawing, {is_left ? 56.0 : 240.0, 34, 168, 170},
              {panel.label, 1, panel.high, true, ticks(panel.marks)},
              {is_left ? "GFLOP/s in FP32" : "", 0.2, 150000, true,
               is_left ? ticks({1, 10, 100, 1000, 10000, 100000})
                       : std::vector<Tick>{
                             {1, ""}, {10, ""}, {100, ""}, {1000, ""}, {10000, ""}, {100000, ""}}});
    for (std::size_t machine = 0; machine < 2; ++machine) {
      const base::CsvFile csv(sources.measured(panel.files[machine]));
      const std::vector<Point> rates =
          points(csv, panel.column, "gflop_per_s", [](std::size_t) { return true; });
      const Tone tone = machine == 0 ? Tone::kGreen : Tone::kBlue;
      plot.line(rates, {.tone = tone, .width = 2});
      plot.dots(rates, tone, 3.5);
      plot.label(rates.back(), {4, machine == 0 ? 20.0 : -16.0}, machine == 0 ? "H200" : "one core",
                 {.size = kNormal, .anchor = Anchor::kEnd, .tone = tone, .bold = true});
    }
  }
  return drawing;
})

// --- Over the batch ---

FIGURE("intensity_over_batch", [](const Sources& sources) {
  constexpr double kSide = 4096, kMost = 8192;
  const roofline::DenseLayer plain{kSide, kSide, 2, 2};
  const roofline::DenseLayer packed{kSide, kSide, llm::parse_format("int4/128").bytes_per_element(),
                                    2};
  Drawing drawing(
      330, "Intensity of a linear layer over the batch",
      "The intensity grows with the batch, first in proportion, then flattens towards a "
      "limit that activations set. Ridges of three machines are crossed at different "
      "batches; weights of four bits cross them at smaller ones.");
  Plot plot(drawing, {48, 34, 360, 244}, {"batch", 1, kMost, true, ticks({1, 10, 100, 1000})},
            {"FLOP per byte", 0.7, 5000, true, ticks({1, 10, 100, 1000})});
  const auto curve = [&](const roofline::DenseLayer& layer) {
    std::vector<Point> result;
    for (double batch = 1; batch <= kMost; batch *= 1.12) {
      result.push_back({batch, roofline::layer_intensity(layer, batch)});
    }
    return result;
  };
  const double limit = roofline::layer_intensity_limit(plain);
  plot.line({{1, limit}, {kMost, limit}}, {.tone = Tone::kLine, .width = 1.2, .dashed = true});
  plot.label({1, limit}, {6, -6}, fmt::format("limit of a 4096 x 4096 layer, {:.0f}", limit),
             small(Tone::kSoft));
  plot.line(curve(packed), {.tone = Tone::kOrange, .width = 2});
  plot.line(curve(plain), {.tone = Tone::kBlue, .width = 2});
  plot.label({13, roofline::layer_intensity(packed, 13)}, {-8, -2}, "4-bit weights",
             {.size = kNormal, .anchor = Anchor::kEnd, .tone = Tone::kOrange});
  plot.label({5, roofline::layer_intensity(plain, 5)}, {12, 10}, "16-bit weights",
             {.size = kNormal, .tone = Tone::kBlue});
  struct Card {
    const char* id;
    const char* name;
    double below;
  };
  for (const Card& card : {Card{"a100-80gb-sxm", "A100", 14}, Card{"h100-sxm", "H100", -6}}) {
    const double ridge =
        roofline::ridge(roofline::roof_of(sources.machine(card.id), roofline::Precision::kBf16));
    plot.line({{1, ridge}, {kMost, ridge}}, {.tone = Tone::kPurple, .width = 1, .dashed = true});
    plot.label({1, ridge}, {6, card.below}, fmt::format("ridge {}, {:.0f}", card.name, ridge),
               small(Tone::kPurple));
    const double batch = roofline::critical_batch(plain, ridge).value();
    plot.line({{batch, ridge}, {batch, 0.7}}, {.tone = Tone::kBlue, .width = 1, .dashed = true});
    plot.dots({{batch, ridge}}, Tone::kBlue, 4.5);
    const double packed_batch = roofline::critical_batch(packed, ridge).value();
    plot.dots({{packed_batch, ridge}}, Tone::kOrange, 4.5);
    const bool is_first = card.below > 0;
    plot.label({batch, 0.7}, {is_first ? -5.0 : 5.0, -8}, fmt::format("{:.0f}", batch),
               {.size = kNormal,
                .anchor = is_first ? Anchor::kEnd : Anchor::kStart,
                .tone = Tone::kBlue,
                .bold = true});
  }
  return drawing;
})

FIGURE("rate_over_batch", [](const Sources& sources) {
  const llm::Model llama = sources.model("llama-3.1-8b");
  const llm::Formats formats = llm::stored_formats(llama);
  const roofline::Machine machine = sources.machine("h200-sxm");
  const double bandwidth = roofline::bandwidth(machine);
  const base::CsvFile csv(sources.measured("h200_llm_transformer.csv"));
  constexpr double kMost = 256, kTop = 19;
  Drawing drawing(346, "Tokens per second over the batch",
                  "Llama-3.1-8B on an H200 for three contexts. Each bound rises with the batch and "
                  "bends towards a limit of its own, where only the caches are read. Measured "
                  "points lie below the curves.");
  Plot plot(drawing, {40, 34, 368, 250}, {"batch", 0, kMost, false, ticks({0, 64, 128, 192, 256})},
            {"thousand tokens per second", 0, kTop, false, ticks({0, 5, 10, 15})});
  struct Line {
    double context;
    Tone tone;
  };
  for (const Line& line :
       {Line{2048, Tone::kBlue}, Line{4096, Tone::kGreen}, Line{8192, Tone::kPurple}}) {
    std::vector<Point> curve;
    for (double batch = 1; batch <= kMost; batch += 3) {
      curve.push_back(
          {batch, batch /
                      llm::decode_floor_seconds(llama, formats, batch, line.context, bandwidth) /
                      1e3});
    }
    const double limit = bandwidth / llm::kv_bytes(llama, formats, line.context) / 1e3;
    plot.line({{0, limit}, {kMost, limit}}, {.tone = line.tone, .width = 1, .dashed = true});
    plot.line(curve, {.tone = line.tone, .width = 2.2});
    plot.label({kMost, limit}, {-2, -5}, fmt::format("limit {:.1f}", limit),
               small(line.tone, Anchor::kEnd));
    plot.label(curve[curve.size() * 2 / 3], {0, 19}, fmt::format("context {:.0f}", line.context),
               {.size = kSmall, .tone = line.tone, .bold = true});
    std::vector<Point> measured = points(csv, "batch", "seconds_median", [&](std::size_t row) {
      return csv.field(row, "phase") == "decode" && csv.field(row, "launch") == "graph" &&
             std::stod(csv.field(row, "tokens")) == line.context;
    });
    for (Point& point : measured) point.y = point.x / point.y / 1e3;
    plot.dots(measured, line.tone, 4.5);
  }
  drawing.dot({16, 334}, Tone::kText, 4.5);
  drawing.text({28, 339}, "measured, replayed graphs", small());
  return drawing;
})

FIGURE("experts_over_batch", [](const Sources& sources) {
  struct Choice {
    const char* id;
    const char* name;
    Tone tone;
    double at;
    Point moved;
    Anchor anchor;
  };
  const std::vector<Choice> choices = {
      {"mixtral-8x7b", "Mixtral", Tone::kGreen, 6, {-10, -2}, Anchor::kEnd},
      {"qwen3-30b-a3b", "Qwen3", Tone::kBlue, 14, {-8, 0}, Anchor::kEnd},
      {"deepseek-v3", "DeepSeek-V3", Tone::kOrange, 60, {10, 12}, Anchor::kStart}};
  constexpr double kMost = 512;
  Drawing drawing(336, "Experts that a batch reads",
                  "Share of all experts in a layer that is read at least once, over the batch. One "
                  "token reads few, a batch of some dozens nearly all.");
  Plot plot(drawing, {46, 34, 362, 230},
            {"batch (tokens in a step)", 1, kMost, true, ticks({1, 4, 16, 64, 256})},
            {"% of the experts", 0, 104, false, ticks({0, 25, 50, 75, 100})});
  double y = 318;
  double x = 10;
  for (const Choice& choice : choices) {
    llm::ExpertFeedForward experts;
    for (const llm::LayerGroup& group : sources.model(choice.id).layers) {
      if (const auto* found = std::get_if<llm::ExpertFeedForward>(&group.feed_forward))
        experts = *found;
    }
    const auto all = static_cast<double>(experts.experts);
    const auto each = static_cast<double>(experts.experts_per_token);
    const auto share = [&](double batch) {
      return 100 * llm::distinct_experts(all, each, batch) / all;
    };
    std::vector<Point> curve;
    for (double batch = 1; batch <= kMost * 1.001; batch *= std::pow(2, 0.125))
      curve.push_back({std::min(batch, kMost), share(batch)});
    plot.line(curve, {.tone = choice.tone, .width = 2.2});
    plot.label({choice.at, share(choice.at)}, choice.moved, choice.name,
               {.size = kNormal, .anchor = choice.anchor, .tone = choice.tone, .bold = true});
    drawing.text({x, y}, fmt::format("{}: {:.0f} of {:.0f}", choice.name, each, all),
                 small(choice.tone));
    x += choice.name == std::string("Mixtral") ? 118 : 128;
  }
  return drawing;
})

// --- Predicted and measured ---

FIGURE("predicted_measured", [](const Sources& sources) {
  const base::CsvFile predicted(sources.measured("h200_llm_predicted.csv"));
  constexpr double kLow = 3, kHigh = 600;
  Drawing drawing(
      370, "Predicted against measured times",
      "Steps of decode and prompts of Llama-3.1-8B on an H200, predicted over measured, "
      "both axes logarithmic. Predictions lie near the diagonal; the bare bound lies "
      "below it throughout.");
  Plot plot(drawing, {48, 34, 360, 270},
            {"measured, ms", kLow, kHigh, true, ticks({3, 10, 30, 100, 300})},
            {"predicted, ms", kLow * 0.8, kHigh, true, ticks({3, 10, 30, 100, 300})});
  plot.line({{kLow, kLow}, {kHigh, kHigh}}, {.tone = Tone::kLine, .width = 1.2});
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    const std::string& phase = predicted.field(row, "phase");
    const bool is_decode = phase == "decode";
    const double measured = sources.measured_number("h200_llm_transformer.csv",
                                                    {{"phase", phase},
                                                     {"batch", predicted.field(row, "batch")},
                                                     {"tokens", predicted.field(row, "tokens")},
                                                     {"launch", is_decode ? "graph" : "eager"}},
                                                    "seconds_median");
    const auto milli = [&](const char* column) {
      return std::stod(predicted.field(row, column)) / kMilli;
    };
    plot.dots({{measured / kMilli, milli("seconds_bound")}}, Tone::kLine, 3.5);
    plot.dots({{measured / kMilli, milli("seconds_predicted")}},
              is_decode ? Tone::kBlue : Tone::kOrange, 4.5);
  }
  plot.label({9, 9}, {4, -44}, "decode",
             {.size = kNormal, .anchor = Anchor::kMiddle, .tone = Tone::kBlue, .bold = true});
  plot.label({150, 150}, {-16, -30}, "prefill",
             {.size = kNormal, .anchor = Anchor::kEnd, .tone = Tone::kOrange, .bold = true});
  plot.label({30, 9}, {0, 6}, "the bare bound", {.size = kNormal, .tone = Tone::kSoft});
  plot.label({kHigh, kHigh}, {-34, 12}, "equal", small(Tone::kSoft, Anchor::kEnd));
  drawing.text({10, 360}, "A step has two dots: its prediction and, grey, its bound.",
               small(Tone::kSoft));
  return drawing;
})

FIGURE("step_parts", [](const Sources& sources) {
  const auto without = [&](const char* weights, const char* left_out) {
    return sources.measured_number("h100_engine_parts.csv",
                                   {{"weights", weights}, {"left_out", left_out}}, "median_ms");
  };
  const auto step = [&](const char* weights, const char* column) {
    return sources.measured_number("h100_engine_steps.csv", {{"weights", weights}, {"batch", "1"}},
                                   column);
  };
  constexpr double kTop = 48, kRow = 62, kHigh = 26, kLeft = 54, kMost = 5.8, kWide = 352;
  Drawing drawing(
      kTop + 3 * kRow + 2, "Where the time of the engine's step goes",
      "A step of Llama-3-8B's shape on an H100. In FP16 nearly all of it is the bytes of "
      "the products; in INT4 half of it is not: what the products take beyond their "
      "bytes, and what is no product, which takes the same time in every format.");
  const auto wide = [&](double ms) { return kWide * ms / kMost; };
  double x = 10;
  for (const auto& [tone, words, room] : {std::tuple{Tone::kBlue, "bytes", 72.0},
                                          {Tone::kOrange, "products beyond them", 170.0},
                                          {Tone::kPurple, "other kernels, ms", 0.0}}) {
    drawing.fill({x, 10, 12, 12}, tone, true);
    drawing.text({x + 18, 20}, words, small());
    x += room;
  }
  double y = kTop;
  for (const auto& [weights, name] :
       {std::pair{"fp16", "FP16"}, {"int8", "INT8"}, {"int4", "INT4"}}) {
    const double all = step(weights, "median_ms"), bytes = step(weights, "predicted_ms");
    const double beside = without(weights, "products");
    drawing.text({10, y + 18}, name, {.size = kNormal, .bold = true});
    double at = kLeft;
    for (const auto& [ms, tone] : {std::pair{bytes, Tone::kBlue},
                                   {all - bytes - beside, Tone::kOrange},
                                   {beside, Tone::kPurple}}) {
      drawing.fill({at, y, wide(ms), kHigh}, tone, true);
      at += wide(ms);
    }
    drawing.text(
        {kLeft, y + kHigh + 16},
        fmt::format("{:.2f} of bytes, {:.2f} measured: {:.0f} %", bytes, all, 100 * bytes / all),
        small(Tone::kSoft));
    y += kRow;
  }
  return drawing;
})

FIGURE("eager_graph", [](const Sources& sources) {
  const base::CsvFile csv(sources.measured("h200_llm_transformer.csv"));
  struct Step {
    std::string batch, tokens;
    double graph = 0, eager = 0;
  };
  std::vector<Step> steps;
  for (std::size_t row = 0; row < csv.size(); ++row) {
    if (csv.field(row, "phase") != "decode") continue;
    const double seconds = std::stod(csv.field(row, "seconds_median"));
    if (csv.field(row, "launch") == "graph") {
      steps.push_back({csv.field(row, "batch"), csv.field(row, "tokens"), seconds, 0});
    } else {
      steps.back().eager = seconds;
    }
  }
  constexpr double kStep = 34, kTop = 52, kLeft = 118, kLong = 228, kLongest = 23e-3;
  Drawing drawing(kTop + kStep * static_cast<double>(steps.size()) + 8,
                  "A decode step launched kernel by kernel, and as a graph",
                  "Times of decode steps of Llama-3.1-8B on an H200. With few tokens and short "
                  "contexts launching takes twice as long as the work; with large batches the two "
                  "come together.");
  drawing.text({10, 20}, "batch", small(Tone::kSoft));
  drawing.text({56, 20}, "context", small(Tone::kSoft));
  drawing.fill({kLeft, 10, 12, 12}, Tone::kBlue, true);
  drawing.text({kLeft + 18, 20}, "graph", small());
  drawing.fill({kLeft + 80, 10, 12, 12}, Tone::kOrange, true);
  drawing.text({kLeft + 98, 20}, "kernel by kernel (eager), ms", small());
  double y = 34;
  for (const Step& step : steps) {
    const Text number = {.size = kNormal, .anchor = Anchor::kEnd};
    drawing.text({44, y + 19}, step.batch, number);
    drawing.text({104, y + 19}, step.tokens, number);
    drawing.fill({kLeft, y, kLong * step.graph / kLongest, 12}, Tone::kBlue, true);
    drawing.fill({kLeft, y + 13, kLong * step.eager / kLongest, 12}, Tone::kOrange, true);
    drawing.text({kLeft + kLong * std::max(step.graph, step.eager) / kLongest + 8, y + 18},
                 fmt::format("{:.1f}, {:.1f}", step.graph / kMilli, step.eager / kMilli), small());
    y += kStep;
  }
  return drawing;
})

// --- Runs, and a measurement beside a datasheet ---

FIGURE("spread_of_runs", [](const Sources& sources) {
  struct Loop {
    const char* name;
    const char* file;
    std::map<std::string, std::string> row;
  };
  const std::vector<Loop> loops = {
      {"triad, H200", "h200_peaks.csv", {{"program", "triad"}, {"n", "67108864"}}},
      {"matrix units, H200", "h200_peaks.csv", {{"program", "matrix"}}},
      {"reading DRAM, shared CPU", "cpu_ladder.csv", {{"n", "16777216"}}},
      {"reading L1, shared CPU", "cpu_ladder.csv", {{"n", "4096"}}}};
  constexpr double kRow = 46, kTop = 48;
  const double bottom = kTop + kRow * static_cast<double>(loops.size());
  Drawing drawing(bottom + 44, "Fastest, median and slowest run of four loops",
                  "On a GPU that did nothing else all runs lie within a few percent. On a CPU that "
                  "others used, the slowest run took three to thirteen times the median.");
  Plot plot(drawing, {22, kTop, 384, bottom - kTop},
            {"time of a run over the median, logarithmic", 0.5, 20, true,
             ticks({0.5, 1, 2, 5, 10, 20}, 1)},
            {"", 0, static_cast<double>(loops.size()), false, {}});
  drawing.text({14, 18}, "|  fastest and slowest run", small(Tone::kBlue));
  drawing.dot({214, 14}, Tone::kOrange, 5);
  drawing.text({224, 18}, "median", small(Tone::kOrange));
  double y = kTop + 16;
  for (const Loop& loop : loops) {
    const auto seconds = [&](const std::string& which) {
      return sources.measured_number(loop.file, loop.row, "seconds_" + which);
    };
    const double median = seconds("median");
    const double from = plot.at(seconds("min") / median, 0).x;
    const double to = plot.at(seconds("max") / median, 0).x;
    const double spread = (seconds("max") - seconds("min")) / median;
    drawing.text({plot.at(1.25, 0).x, y},
                 fmt::format("{}: spread {:.{}f} %", loop.name, 100 * spread, spread < 0.1 ? 1 : 0),
                 small());
    drawing.line({from, y + 14}, {to, y + 14}, {.tone = Tone::kBlue, .width = 2});
    for (const double end : {from, to}) {
      drawing.line({end, y + 6}, {end, y + 22}, {.tone = Tone::kBlue, .width = 2});
    }
    drawing.dot({plot.at(1, 0).x, y + 14}, Tone::kOrange, 5);
    y += kRow;
  }
  return drawing;
})

FIGURE("shares_of_datasheet", [](const Sources& sources) {
  const roofline::Machine sheet = sources.machine("h200-sxm");
  const roofline::Report report = roofline::read_report(sources.measured("h200_roofs.json"));
  const auto measured = [&](const char* name) {
    return docs::roof_named(report, name).rate.median;
  };
  const auto peak = [&](roofline::Precision precision, roofline::Unit unit) {
    return roofline::find_peak(sheet, precision, unit)->operations_per_second;
  };
  const double fp32 =
      measured("fp32.vector") / peak(roofline::Precision::kFp32, roofline::Unit::kVector);
  const double read = measured("read") / roofline::bandwidth(sheet);
  struct Line {
    const char* name;
    double share;
    Tone tone;
  };
  const std::vector<Line> lines = {
      {"FP32 in registers", fp32, Tone::kGreen},
      {"reading", read, Tone::kGreen},
      {"BF16 products",
       measured("bf16.gemm") / peak(roofline::Precision::kBf16, roofline::Unit::kMatrix),
       Tone::kGreen},
      {"FP32, FMAs counted once", 2 * fp32, Tone::kRed},
      {"reading, transfers doubled", read / 2, Tone::kRed}};
  constexpr double kLow = 0.25, kHigh = 2.5, kRow = 40, kTop = 36;
  const double bottom = kTop + kRow * static_cast<double>(lines.size());
  Drawing drawing(bottom + 44, "Measured over stated, right and with two mistakes in the file",
                  "The shares of an H200 lie between two thirds and one. With a factor of two "
                  "wrong in the file, arithmetic appears to exceed its peak, and memory to reach "
                  "half of its bandwidth.");
  Plot plot(drawing, {22, kTop, 384, bottom - kTop},
            {"measured over stated, logarithmic", kLow, kHigh, true, ticks({0.25, 0.5, 1, 2}, 2)},
            {"", 0, 1, false, {}});
  const double one = plot.at(1, 0).x;
  drawing.fill({one, kTop, 406 - one, bottom - kTop}, Tone::kPanel);
  drawing.text({one + 6, kTop - 9}, "nothing exceeds its peak", small(Tone::kSoft));
  drawing.line({one, kTop}, {one, bottom}, {.tone = Tone::kSoft, .width = 1.4});
  double y = kTop + 15;
  for (const Line& line : lines) {
    const double x = plot.at(line.share, 0).x;
    drawing.text({28, y}, line.name, small(line.tone));
    drawing.dot({x, y + 13}, line.tone, 5);
    drawing.text({x - 9, y + 18}, fmt::format("{:.2f}", line.share),
                 {.size = kNormal, .anchor = Anchor::kEnd, .tone = line.tone, .bold = true});
    y += kRow;
  }
  return drawing;
})

}  // namespace
}  // namespace figures
