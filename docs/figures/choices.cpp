// SPDX-License-Identifier: MIT
// Charts of when something pays off: speculation, absorption, an index into the cache, fused
// attention, formats of weights, a predicted gain, experts. Each has a point where the answer
// changes.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "figure.hpp"
#include "plot.hpp"
#include "roofline/bounds.hpp"
#include "roofline/llm/speculative.hpp"
#include "roofline/transformer.hpp"
#include "shared.hpp"

namespace figures {
namespace {

using namespace base::prefixes;

/// Points of a function, evenly spaced on a logarithmic axis, including both ends.
std::vector<Point> sampled(double low, double high, const std::function<double(double)>& y,
                           int steps = 48) {
  std::vector<Point> points;
  for (int i = 0; i <= steps; ++i) {
    const double x = low * std::pow(high / low, static_cast<double>(i) / steps);
    points.push_back({x, y(x)});
  }
  return points;
}

/// The zero of the decreasing function `falls`, by bisection on a logarithmic axis.
double zero_of(double low, double high, const std::function<double(double)>& falls) {
  if (!(falls(low) > 0 && falls(high) < 0)) throw std::logic_error("no change of sign");
  constexpr int kHalvings = 60;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::sqrt(low * high);
    (falls(middle) > 0 ? low : high) = middle;
  }
  return low;
}

FIGURE("speculation_gain", [](const Sources& sources) {
  constexpr double kMost = 512, kLow = 0.5, kHigh = 2.7;
  Drawing drawing(
      322, "The gain of speculative decoding over the batch",
      "Llama-3.1-8B on an H200, four drafts of which 80 % are accepted. At batch 1 the gain is "
      "2.4. With short contexts it falls from some dozens of sequences on and is lost at 150; "
      "with long contexts a gain of 1.7 is left.");
  Plot plot(drawing, {38, 36, 370, 236}, {"batch", 1, kMost, true, ticks({1, 4, 16, 64, 256})},
            {"gain: tokens per second over plain decoding", kLow, kHigh, false,
             ticks({0.5, 1, 1.5, 2, 2.5}, 1)});
  const double most =
      roofline::llm::speculative_speedup(docs::kAcceptance, docs::kDrafted, docs::kDraftCost);
  plot.line({{1, most}, {kMost, most}}, {.tone = Tone::kLine, .width = 1.2, .dashed = true});
  plot.label({kMost, most}, {-2, -7}, fmt::format("{:.2f}: a check as long as a step", most),
             small(Tone::kSoft, Anchor::kEnd));
  plot.line({{1, 1}, {kMost, 1}}, {.tone = Tone::kRed, .width = 1.2, .dashed = true});
  plot.label({1, 1}, {6, 17}, "below this line drafting loses", small(Tone::kRed));
  const roofline::Roof roof =
      roofline::roof_of(sources.machine("h200-sxm"), roofline::Precision::kBf16);
  const double declines =
      roofline::critical_batch({4096, 4096, 2, 2}, roofline::ridge(roof)).value() /
      (docs::kDrafted + 1);
  plot.line({{declines, kLow}, {declines, most}}, {.tone = Tone::kSoft, .dashed = true});
  plot.label({declines, kLow}, {-6, -10},
             fmt::format("batch {:.0f}: check compute-bound", declines),
             small(Tone::kSoft, Anchor::kEnd));
  struct Line {
    double context;
    Tone tone;
  };
  for (const Line& line : {Line{4096, Tone::kBlue}, Line{256, Tone::kOrange}}) {
    const auto gain = [&](double batch) {
      return docs::speculation_gain(sources, batch, line.context);
    };
    const std::vector<Point> curve = sampled(1, kMost, gain);
    plot.line(curve, {.tone = line.tone, .width = 2.4});
    plot.label({kMost, curve.back().y}, {-2, 18}, fmt::format("context {:.0f}", line.context),
               {.size = kNormal, .anchor = Anchor::kEnd, .tone = line.tone, .bold = true});
    if (curve.back().y > 1) continue;
    const double even = zero_of(1, kMost, [&](double batch) { return gain(batch) - 1; });
    plot.dots({{even, 1}}, line.tone, 5);
    plot.label({even, 1}, {8, -6}, fmt::format("{:.0f}", std::ceil(even)),
               {.size = kNormal, .tone = line.tone, .bold = true});
  }
  return drawing;
})

FIGURE("absorbed_expanded", [](const Sources& sources) {
  constexpr double kContext = 8192;
  const auto gflop = [&](double added, bool is_absorbed) {
    return docs::latent_flops(sources, kContext, added, is_absorbed) / kGiga;
  };
  Drawing drawing(
      322, "Latent attention absorbed and expanded, over the new tokens",
      "Work of one layer of DeepSeek-V3 at a context of 8192. Absorbed it grows with the new "
      "tokens; expanded it begins at the price of the whole cache and grows less. They cross near "
      "170 new tokens.");
  Plot plot(drawing, {54, 36, 346, 236},
            {"new tokens", 1, kContext, true, ticks({1, 16, 128, 1024, 8192})},
            {"GFLOP of a layer", 1, 20000, true, ticks({1, 10, 100, 1000, 10000})});
  const double even =
      zero_of(1, kContext, [&](double added) { return gflop(added, false) - gflop(added, true); });
  plot.line({{even, 1}, {even, 20000}}, {.tone = Tone::kSoft, .dashed = true});
  for (const bool is_absorbed : {true, false}) {
    plot.line(sampled(1, kContext, [&](double added) { return gflop(added, is_absorbed); }),
              {.tone = is_absorbed ? Tone::kBlue : Tone::kOrange, .width = 2.4});
  }
  plot.dots({{even, gflop(even, true)}}, Tone::kText, 5);
  plot.label({even, 1}, {-6, -10}, fmt::format("{:.0f} new tokens", even),
             {.size = kNormal, .anchor = Anchor::kEnd, .bold = true});
  plot.label({1, gflop(1, false)}, {10, -10}, "expanded",
             {.size = kNormal, .tone = Tone::kOrange, .bold = true});
  plot.label({3, gflop(3, true)}, {14, 6}, "absorbed",
             {.size = kNormal, .tone = Tone::kBlue, .bold = true});
  plot.label({even, 20000}, {-8, 16}, "decode, drafts: absorb", small(Tone::kBlue, Anchor::kEnd));
  plot.label({even, 20000}, {8, 16}, "a prompt: expand", small(Tone::kOrange));
  return drawing;
})

FIGURE("sparse_attention", [](const Sources&) {
  constexpr double kLeast = 512, kMost = 262144, kShown = 131072;
  const auto dense = [](double context) { return docs::dense_cache_bytes(context) / kMega; };
  const auto sparse = [](double context) { return docs::sparse_cache_bytes(context) / kMega; };
  Drawing drawing(
      322, "What a step reads of one layer's cache, with and without an index",
      "All entries grow in proportion to the context. Short keys and 2048 chosen entries begin "
      "higher, are equal at 2304 tokens, and then grow nine times more slowly.");
  Plot plot(drawing, {50, 36, 358, 236},
            {"context",
             kLeast,
             kMost,
             true,
             {{1024, "1 Ki"}, {8192, "8 Ki"}, {65536, "64 Ki"}, {262144, ""}}},
            {"MB that a step reads of a layer", 0.4, 400, true, ticks({1, 10, 100})});
  plot.line(sampled(kLeast, kMost, dense), {.tone = Tone::kPurple, .width = 2.4});
  plot.line(sampled(kLeast, kMost, sparse), {.tone = Tone::kGreen, .width = 2.4});
  const double keys = docs::kIndexBytes / kMega;
  plot.line({{0.4 / keys, 0.4}, {kMost, kMost * keys}},
            {.tone = Tone::kGreen, .width = 1.2, .dashed = true});
  const double even =
      zero_of(kLeast, kMost, [&](double context) { return sparse(context) - dense(context); });
  plot.dots({{even, dense(even)}}, Tone::kText, 5);
  plot.label({even, dense(even)}, {9, 16}, fmt::format("equal at {:.0f}", even), small());
  plot.line({{kShown, sparse(kShown)}, {kShown, dense(kShown)}},
            {.tone = Tone::kSoft, .width = 1.4});
  plot.label({kShown, 1.4 * sparse(kShown)}, {-8, 0},
             fmt::format("{:.1f} times", dense(kShown) / sparse(kShown)),
             {.size = kNormal, .anchor = Anchor::kEnd, .bold = true});
  plot.label({kLeast, 400}, {12, 22}, "all tokens",
             {.size = kNormal, .tone = Tone::kPurple, .bold = true});
  plot.label({kLeast, 400}, {12, 42}, "index and 2048 chosen",
             {.size = kNormal, .tone = Tone::kGreen, .bold = true});
  plot.label({20000, 20000 * keys}, {4, 20}, "the short keys alone", small(Tone::kGreen));
  return drawing;
})

FIGURE("fused_attention", [](const Sources& sources) {
  constexpr double kLeast = 128, kMost = 16384, kDim = 128;
  constexpr roofline::Precision kFp16 = roofline::Precision::kFp16;
  const double ridge = roofline::ridge(roofline::roof_of(sources.machine("h200-sxm"), kFp16));
  const auto shape = [&](double sequence) {
    return roofline::Attention{.sequence = sequence, .head_dim = kDim};
  };
  Drawing drawing(
      322, "Intensity of attention over the length of the prompt",
      "Unfused attention rises towards a limit, 129 FLOP/B with two passes over the scores and 65 "
      "with four, both under the ridge of an H200. Fused attention grows with the prompt and "
      "crosses the ridge at some 400 tokens.");
  Plot plot(drawing, {52, 36, 356, 236},
            {"tokens of the prompt", kLeast, kMost, true, ticks({128, 512, 2048, 8192})},
            {"FLOP per byte", 20, 12000, true, ticks({100, 1000, 10000})});
  plot.line({{kLeast, ridge}, {kMost, ridge}}, {.tone = Tone::kSoft, .width = 1.2, .dashed = true});
  plot.label({kMost, ridge}, {-2, -7}, fmt::format("ridge of an H200, {:.0f}", ridge),
             small(Tone::kSoft, Anchor::kEnd));
  const auto fused = [&](double sequence) {
    return roofline::fused_attention(shape(sequence), kFp16).intensity();
  };
  plot.line(sampled(kLeast, kMost, fused), {.tone = Tone::kGreen, .width = 2.4});
  const double crosses =
      zero_of(kLeast, kMost, [&](double sequence) { return ridge - fused(sequence); });
  plot.dots({{crosses, ridge}}, Tone::kGreen, 5);
  plot.label({crosses, ridge}, {-9, -8}, fmt::format("{:.0f} tokens", crosses),
             small(Tone::kGreen, Anchor::kEnd));
  plot.label({2048, fused(2048)}, {-10, -4}, "fused",
             {.size = kNormal, .anchor = Anchor::kEnd, .tone = Tone::kGreen, .bold = true});
  for (const int passes : {2, 4}) {
    const auto unfused = [&](double sequence) {
      return roofline::unfused_attention(shape(sequence), kFp16, passes).intensity();
    };
    const std::vector<Point> curve = sampled(kLeast, kMost, unfused);
    const Tone tone = passes == 2 ? Tone::kOrange : Tone::kRed;
    plot.line(curve, {.tone = tone, .width = 2.4});
    plot.label(curve.back(), {-2, 17}, fmt::format("unfused, {} passes", passes),
               small(tone, Anchor::kEnd));
  }
  return drawing;
})

FIGURE("weight_formats", [](const Sources& sources) {
  constexpr double kMost = 1024;
  struct Format {
    const char* name;
    double (*seconds)(const Sources&, double);
    Tone tone;
    double at;
    Point moved;
    Anchor anchor;
  };
  const std::vector<Format> formats = {
      {"BF16", docs::bf16_layer_seconds, Tone::kPurple, 1, {8, -8}, Anchor::kStart},
      {"W8A8", docs::w8a8_layer_seconds, Tone::kBlue, 1, {8, -8}, Anchor::kStart},
      {"W4A16", docs::w4a16_layer_seconds, Tone::kOrange, 1, {8, -8}, Anchor::kStart}};
  Drawing drawing(
      322, "Time of a layer over the batch, in three formats",
      "A 4096 x 4096 layer on an H100. Weights of 4 bits are fastest up to batch 160, weights and "
      "activations of 8 bits from there on. BF16 meets W4A16 where both compute.");
  Plot plot(drawing, {38, 36, 370, 236}, {"batch", 1, kMost, true, ticks({1, 4, 16, 64, 256})},
            {"us, by the roofline", 2, 40, true, ticks({2, 5, 10, 20, 40})});
  for (const Format& format : formats) {
    const auto micro = [&](double batch) { return format.seconds(sources, batch) / kMicro; };
    plot.line(sampled(1, kMost, micro, 120), {.tone = format.tone, .width = 2.4});
    plot.label({format.at, micro(format.at)}, format.moved, format.name,
               {.size = kNormal, .anchor = format.anchor, .tone = format.tone, .bold = true});
  }
  const double crossing = zero_of(1, kMost, [&](double batch) {
    return docs::w8a8_layer_seconds(sources, batch) - docs::w4a16_layer_seconds(sources, batch);
  });
  const double at = docs::w8a8_layer_seconds(sources, crossing) / kMicro;
  plot.line({{crossing, 2}, {crossing, at}}, {.tone = Tone::kSoft, .dashed = true});
  plot.dots({{crossing, at}}, Tone::kText, 5);
  plot.label({crossing, 2}, {6, -10}, fmt::format("{:.0f}", std::ceil(crossing)),
             {.size = kNormal, .bold = true});
  plot.label({crossing, 2}, {-6, -10}, "fewer bytes win", small(Tone::kOrange, Anchor::kEnd));
  plot.label({crossing, 2}, {6, -28}, "FLOP/s win", small(Tone::kBlue));
  return drawing;
})

FIGURE("gain_parts", [](const Sources&) {
  const std::vector<docs::StoredProduct> products = docs::stored_products();
  constexpr double kRow = 46, kLeft = 10, kHigh = 20, kScale = 15;  // per microsecond
  constexpr double kMicro = 1e-6;
  Drawing drawing(kRow * static_cast<double>(products.size()) + 34,
                  "The time of one product in four formats of weights",
                  "Each bar has a part for the bytes and one for starting and finishing. The first "
                  "shrinks with the bits, the second stays.");
  drawing.fill({kLeft, 8, 10, 10}, Tone::kOrange, true);
  drawing.text({kLeft + 16, 18}, "start and end", small());
  drawing.fill({kLeft + 130, 8, 10, 10}, Tone::kBlue, true);
  drawing.text({kLeft + 146, 18}, "bytes, us", small());
  double y = 42;
  for (const docs::StoredProduct& product : products) {
    const double all = product_seconds(product) / kMicro;
    const double start = docs::kStartSeconds / kMicro;
    drawing.text({kLeft, y}, product.name, small());
    drawing.fill({kLeft, y + 6, kScale * start, kHigh}, Tone::kOrange, true);
    drawing.fill({kLeft + kScale * start, y + 6, kScale * (all - start), kHigh}, Tone::kBlue, true);
    drawing.text({kLeft + kScale * all + 8, y + 21},
                 fmt::format("{:.1f} us: {:.2f} times", all,
                             product_seconds(products.front()) / product_seconds(product)),
                 {.size = kNormal, .bold = true});
    y += kRow;
  }
  return drawing;
})

FIGURE("expert_products", [](const Sources&) {
  constexpr double kMost = 8192;
  const auto reading = [](double batch) {
    return docs::expert_layer(batch).reading_seconds / kMicro;
  };
  const auto computing = [](double batch) {
    return docs::expert_layer(batch).computing_seconds / kMicro;
  };
  Drawing drawing(
      322, "Reading and computing the experts of a layer over the batch",
      "Qwen3-30B-A3B on an H200. Reading grows until all experts are touched, at some hundred "
      "tokens, and then stays; computing grows in proportion and passes reading at batch 3300.");
  Plot plot(drawing, {46, 36, 362, 236},
            {"batch", 1, kMost, true, ticks({1, 4, 16, 64, 256, 1024, 4096})},
            {"us of a layer", 0.05, 2000, true, ticks({0.1, 1, 10, 100, 1000}, 1)});
  plot.line(sampled(1, kMost, reading), {.tone = Tone::kOrange, .width = 2.4});
  plot.line(sampled(1, kMost, computing), {.tone = Tone::kBlue, .width = 2.4});
  const double even =
      zero_of(1, kMost, [&](double batch) { return reading(batch) - computing(batch); });
  plot.line({{even, 0.05}, {even, reading(even)}}, {.tone = Tone::kSoft, .dashed = true});
  plot.dots({{even, reading(even)}}, Tone::kText, 5);
  plot.label({even, 0.05}, {-6, -10}, fmt::format("critical batch {:.0f}", even),
             {.size = kNormal, .anchor = Anchor::kEnd, .bold = true});
  plot.label({4, reading(4)}, {4, 20}, "reading",
             {.size = kNormal, .tone = Tone::kOrange, .bold = true});
  plot.label({16, computing(16)}, {10, 8}, "computing",
             {.size = kNormal, .tone = Tone::kBlue, .bold = true});
  plot.label({256, reading(256)}, {0, -10}, "all 128 are read",
             small(Tone::kOrange, Anchor::kMiddle));
  return drawing;
})

}  // namespace
}  // namespace figures
