// SPDX-License-Identifier: MIT
// Figures of LLM inference: a layer, its two phases, the batch, the cache, attention and the
// collectives between GPUs.
#include "roofline/transformer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "figure.hpp"
#include "plot.hpp"
#include "roofline/bounds.hpp"
#include "roofline/communication.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/operators.hpp"
#include "roofline/llm/predict.hpp"
#include "roofline/machine.hpp"

namespace figures {
namespace {

namespace llm = roofline::llm;

using namespace base::prefixes;

llm::Model llama(const Sources& sources) {
  return sources.model("llama-3.1-8b");
}

const llm::GroupedAttention& attention_of(const llm::Model& model) {
  return std::get<llm::GroupedAttention>(model.layers.at(0).attention);
}

// --- A layer ---

FIGURE("transformer_layer", [](const Sources& sources) {
  const llm::Model model = llama(sources);
  constexpr double kContext = 8192;
  const std::vector<llm::Operator> operators =
      llm::pass_operators(model, llm::stored_formats(model), llm::decode_pass(1, kContext));
  Drawing drawing(452, "A layer of Llama-3.1-8B",
                  "The operators of one transformer layer from top to bottom, with the bytes that "
                  "each reads for one token: weights for the four matrix products, cached keys and "
                  "values for attention, next to nothing for norms and sums.");
  struct Part {
    const char* name;  ///< in the picture
    const char* op;    ///< of the library
    Tone tone;
  };
  const std::vector<Part> parts = {{"RMSNorm", "", Tone::kPanel},
                                   {"queries, keys, values", "qkv projection", Tone::kOrange},
                                   {"attention", "attention", Tone::kPurple},
                                   {"output projection", "output projection", Tone::kOrange},
                                   {"add, RMSNorm", "", Tone::kPanel},
                                   {"gate and up", "gate and up projection", Tone::kOrange},
                                   {"SiLU, multiply", "", Tone::kPanel},
                                   {"down", "down projection", Tone::kOrange},
                                   {"add", "", Tone::kPanel}};
  constexpr double kX = 34, kWide = 172, kHigh = 32, kStep = 44, kScale = 0.52;
  drawing.text({kX + kWide / 2, 20}, "x of one token", small(Tone::kSoft, Anchor::kMiddle));
  drawing.text({236, 20}, "reads for one token, MB", small(Tone::kSoft));
  double y = 40;
  std::vector<double> tops;
  for (const Part& part : parts) {
    tops.push_back(y);
    drawing.arrow({kX + kWide / 2, y - 12}, {kX + kWide / 2, y - 1});
    drawing.box({kX, y, kWide, kHigh}, part.tone, {part.name});
    if (*part.op != '\0') {
      const llm::Operator& op = llm::operator_named(operators, part.op);
      const double bytes = op.weight_bytes + op.kv_bytes;
      const double wide = kScale * bytes / kMega;
      drawing.fill({236, y + 5, wide, 22}, part.tone, true);
      drawing.text({236 + wide + 6, y + 21}, fmt::format("{:.1f}", bytes / kMega), {.bold = true});
    }
    y += kStep;
  }
  // The residual path: x itself is added after attention and after the feed-forward.
  const auto around = [&](double from, double to) {
    drawing.path({{kX + kWide / 2, from}, {14, from}, {14, to}, {kX - 8, to}},
                 {.tone = Tone::kSoft, .width = 1.2});
    drawing.arrow({kX - 9, to}, {kX, to});
  };
  around(tops[0] - 9, tops[4] + 16);
  around(tops[5] - 9, tops[8] + 16);
  drawing.fill({236, y - 22, 12, 12}, Tone::kOrange, true);
  drawing.text({254, y - 12}, "weights", small());
  drawing.fill({316, y - 22, 12, 12}, Tone::kPurple, true);
  drawing.text({334, y - 12}, "cache", small());
  drawing.text({236, y + 6}, fmt::format("context {:.0f}, 16 bits", kContext), small(Tone::kSoft));
  return drawing;
})

// --- The same layer on a roofline ---

FIGURE("layer_roofline", [](const Sources& sources) {
  const llm::Model model = llama(sources);
  const llm::Formats formats = llm::stored_formats(model);
  const roofline::Machine machine = sources.machine("h200-sxm");
  const roofline::Roof roof{llm::product_rate(machine, roofline::Precision::kBf16),
                            roofline::bandwidth(machine)};
  constexpr double kTokens = 640, kPrompt = 512;
  Drawing drawing(300, "The operators of a layer on the roofline of an H200",
                  "In decode all matrix products of a layer lie at one FLOP a byte, far down the "
                  "slope of memory, and attention at four. In the prefill of 512 tokens the same "
                  "products lie above the ridge, at the ceiling.");
  Plot plot(drawing, {46, 40, 356, 206},
            {"FLOP per byte of DRAM", 0.3, 3000, true, ticks({1, 10, 100, 1000}, 0)},
            {"TFLOP/s", 1, 2000, true, ticks({1, 10, 100, 1000}, 0)});
  plot.roof(roof, kTera, {.width = 2.2});
  const auto show = [&](const llm::Pass& pass, Tone tone) {
    std::vector<Point> points;
    for (const llm::Operator& op : llm::pass_operators(model, formats, pass)) {
      if (op.kind != llm::OperatorKind::kProduct || op.name == "output head") continue;
      const double intensity = op.flops / op.bytes();
      points.push_back({intensity, roofline::attainable(roof, intensity) / kTera});
    }
    plot.dots(points, tone, 5);
    return points;
  };
  const std::vector<Point> decode = show(llm::decode_pass(1, kTokens), Tone::kOrange);
  const std::vector<Point> prefill = show(llm::prefill_pass(1, kPrompt), Tone::kBlue);
  plot.label(decode.front(), {10, 16}, "decode: four products", small(Tone::kOrange));
  plot.label(decode.at(1), {10, 14}, "decode: attention", small(Tone::kOrange));
  plot.label(prefill.front(), {0, 42}, "prefill, 512 tokens", small(Tone::kBlue, Anchor::kMiddle));
  return drawing;
})

// --- What determines the time of a step ---

/// The seconds of a decode step in attention over caches, and in products with weights that are
/// bound by memory or by computing.
struct StepShares {
  double caches = 0, weights = 0, arithmetic = 0;

  Tone tone() const {
    if (caches >= weights && caches >= arithmetic) return Tone::kOrange;
    return weights >= arithmetic ? Tone::kBlue : Tone::kPurple;
  }
};

StepShares step_shares(const llm::Model& model, const llm::System& system, double batch,
                       double context) {
  StepShares shares;
  for (const llm::OperatorTime& time : llm::predict_pass(model, llm::stored_formats(model),
                                                         llm::decode_pass(batch, context), system)
                                           .operators) {
    if (time.op.kind != llm::OperatorKind::kProduct) continue;
    (time.op.attention                        ? shares.caches
     : time.bound == roofline::Bound::kMemory ? shares.weights
                                              : shares.arithmetic) += time.seconds;
  }
  return shares;
}

FIGURE("step_limit", [](const Sources& sources) {
  const llm::Model model = llama(sources);
  const llm::System system{sources.machine("h200-sxm")};
  constexpr int kColumns = 21, kRows = 19;  // two per doubling
  constexpr double kCellWide = 16.5, kCellHigh = 13, kLeft = 62, kTop = 66;
  constexpr double kLeastContext = 256, kUsable = 0.9;
  const double usable =
      kUsable * roofline::memory_level(system.machine, "DRAM").capacity_bytes.value();
  const double bottom = kTop + kRows * kCellHigh;
  Drawing drawing(
      bottom + 62, "What takes most of a decode step, over batch and context",
      "Llama-3.1-8B in BF16 on an H200. Reading weights takes most at small batches and "
      "short contexts. With short contexts arithmetic follows at large batches; with "
      "long ones it is reading the caches, long before.");
  double x = 10;
  for (const auto& [tone, words] : {std::pair{Tone::kBlue, "reading weights"},
                                    {Tone::kOrange, "reading caches"},
                                    {Tone::kPurple, "arithmetic"}}) {
    drawing.fill({x, 10, 12, 12}, tone, true);
    drawing.text({x + 18, 20}, words, small());
    x += 142;
  }
  drawing.text({10, 52}, "context, tokens", small(Tone::kSoft));
  for (int row = 0; row < kRows; ++row) {
    const double context = kLeastContext * std::exp2((kRows - 1 - row) / 2.0);
    const auto most = llm::largest_batch(model, llm::stored_formats(model), context, usable);
    const double y = kTop + row * kCellHigh;
    for (int column = 0; column < kColumns; ++column) {
      const double batch = std::exp2(column / 2.0);
      const bool fits = most && batch <= static_cast<double>(*most);
      drawing.fill({kLeft + column * kCellWide, y, kCellWide - 1, kCellHigh - 1},
                   step_shares(model, system, batch, context).tone(), fits);
    }
    if ((kRows - 1 - row) % 4 == 0) {
      drawing.text({kLeft - 6, y + 10}, with_prefix(context, kKibi),
                   small(Tone::kText, Anchor::kEnd));
    }
  }
  for (int column = 0; column < kColumns; column += 4) {
    drawing.text({kLeft + (column + 0.5) * kCellWide, bottom + 16},
                 fmt::format("{:.0f}", std::exp2(column / 2.0)),
                 small(Tone::kText, Anchor::kMiddle));
  }
  drawing.text({kLeft + kColumns * kCellWide, bottom + 34}, "batch",
               small(Tone::kSoft, Anchor::kEnd));
  drawing.text({10, bottom + 54}, "Faint: does not fit 90 % of one H200's memory.",
               small(Tone::kSoft));
  return drawing;
})

// --- Prefill and decode ---

FIGURE("prefill_decode", [](const Sources&) {
  constexpr double kPrompt = 2048, kSide = 4096;
  const double prefill = roofline::linear(kPrompt, kSide, kSide).intensity();
  const double decode = roofline::linear(1, kSide, kSide).intensity();
  Drawing drawing(278, "Prefill and decode over time",
                  "The prompt goes through all layers at once, in one pass that reads the weights "
                  "once. Then each further token needs a pass of its own, and each pass reads all "
                  "weights again.");
  constexpr double kTop = 40;
  drawing.text({10, 22}, "prefill", {.size = kLarge, .tone = Tone::kBlue, .bold = true});
  drawing.text({190, 22}, "decode", {.size = kLarge, .tone = Tone::kOrange, .bold = true});
  drawing.box({10, kTop, 150, 60}, Tone::kBlue);
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 10; ++column) {
      drawing.fill({17 + 13.8 * column, kTop + 7 + 12.0 * row, 10, 9}, Tone::kBlue, true);
    }
  }
  constexpr int kSteps = 6;
  constexpr double kStep = 37;
  for (int step = 0; step < kSteps; ++step) {
    const double x = 190 + kStep * step;
    drawing.box({x, kTop, 30, 60}, Tone::kOrange);
    drawing.fill({x + 10, kTop + 25, 10, 9}, Tone::kOrange, true);
    drawing.arrow({x + 15, kTop + 84}, {x + 15, kTop + 63}, {.tone = Tone::kGreen});
  }
  drawing.arrow({85, kTop + 84}, {85, kTop + 63}, {.tone = Tone::kGreen});
  drawing.box({10, kTop + 86, 400, 26}, Tone::kGreen,
              {"the same weights, read once in every pass"});
  drawing.arrow({10, kTop + 132}, {410, kTop + 132});
  drawing.text({410, kTop + 128}, "time", small(Tone::kSoft, Anchor::kEnd));
  const Text left = {.size = kNormal};
  drawing.text({10, 200}, fmt::format("{:.0f} tokens a pass", kPrompt), left);
  drawing.text({190, 200}, "1 token a pass and sequence", left);
  drawing.text({10, 222}, fmt::format("{:.0f} FLOP/B", prefill),
               {.size = kLarge, .tone = Tone::kBlue, .bold = true});
  drawing.text({190, 222}, fmt::format("{:.1f} FLOP/B", decode),
               {.size = kLarge, .tone = Tone::kOrange, .bold = true});
  drawing.text({10, 243}, "bound by arithmetic", left);
  drawing.text({190, 243}, "bound by memory", left);
  drawing.text({10, 266}, "time to first token", {.tone = Tone::kSoft});
  drawing.text({190, 266}, "time per output token", {.tone = Tone::kSoft});
  return drawing;
})

// --- The batch ---

FIGURE("shared_weights", [](const Sources& sources) {
  const llm::Model model = llama(sources);
  const llm::Formats formats = llm::stored_formats(model);
  constexpr double kContext = 4096;
  const double weights = llm::streamed_weight_bytes(model, formats, 1);
  const double cache = llm::kv_bytes(model, formats, kContext);
  const std::vector<double> batches = {1, 8, 32, 64, 128};
  constexpr double kLeft = 54, kLong = 244, kStep = 44, kTop = 46;
  const double longest = weights + batches.back() * cache;
  Drawing drawing(
      kTop + kStep * static_cast<double>(batches.size()) + 12,
      "What a step of decode reads, by the batch",
      "Bars of bytes for batches of 1 to 128. The part of the weights is the same in "
      "every bar, that of the caches grows with the batch; the bytes for one token fall "
      "and then hardly change.");
  drawing.text({10, 20}, "batch", small(Tone::kSoft));
  drawing.fill({kLeft, 10, 12, 12}, Tone::kOrange, true);
  drawing.text({kLeft + 17, 20}, "weights, shared", small());
  drawing.fill({kLeft + 136, 10, 12, 12}, Tone::kPurple, true);
  drawing.text({kLeft + 153, 20}, "caches", small());
  drawing.text({410, 20}, "GB a token", small(Tone::kSoft, Anchor::kEnd));
  double y = kTop - 10;
  for (const double batch : batches) {
    const double width = kLong * weights / longest;
    drawing.text({40, y + 20}, fmt::format("{:.0f}", batch), {.anchor = Anchor::kEnd});
    drawing.box({kLeft, y, width, 30}, Tone::kOrange, {fmt::format("{:.0f}", weights / kGiga)},
                small(Tone::kText, Anchor::kMiddle));
    const double all = kLong * batch * cache / longest;
    drawing.fill({kLeft + width, y, all, 30}, Tone::kPurple, true);
    drawing.text({kLeft + width + all + 7, y + 20}, fmt::format("{:.1f}", batch * cache / kGiga),
                 small(Tone::kPurple));
    drawing.text({410, y + 20}, fmt::format("{:.2f}", (weights + batch * cache) / batch / kGiga),
                 {.size = kLarge, .anchor = Anchor::kEnd, .bold = true});
    y += kStep;
  }
  drawing.text({10, y + 8}, fmt::format("Llama-3.1-8B in 16 bits, context {:.0f}; GB", kContext),
               small(Tone::kSoft));
  return drawing;
})

// --- The cache in pages ---

FIGURE("kv_pages", [](const Sources& sources) {
  const llm::GroupedAttention attention = attention_of(llama(sources));
  constexpr int kPage = 16;
  constexpr double kElement = 2;
  const double page_bytes =
      2.0 * kPage * static_cast<double>(attention.kv_heads * attention.head_dim) * kElement;
  struct Sequence {
    const char* name;
    int tokens;
    std::vector<int> pages;
    Tone tone;
  };
  const std::vector<Sequence> sequences = {{"A", 56, {3, 8, 0, 11}, Tone::kBlue},
                                           {"B", 21, {6, 1}, Tone::kOrange},
                                           {"C", 41, {9, 4, 13}, Tone::kGreen}};
  Drawing drawing(354, "A paged cache of keys and values",
                  "Three sequences of different lengths, each with a table of page numbers. The "
                  "pages lie anywhere in memory; only the last page of a sequence is not full.");
  drawing.text({10, 20}, "sequence", small(Tone::kSoft));
  drawing.text({150, 20}, "page table", small(Tone::kSoft));
  double y = 30;
  for (const Sequence& one : sequences) {
    drawing.text({10, y + 21}, fmt::format("{}: {} tokens", one.name, one.tokens),
                 {.tone = one.tone, .bold = true});
    for (std::size_t i = 0; i < one.pages.size(); ++i) {
      drawing.box({150 + 38.0 * static_cast<double>(i), y, 34, 30}, one.tone,
                  {std::to_string(one.pages[i])});
    }
    y += 38;
  }
  drawing.lines({310, 68}, {"4 bytes a page", "say where it lies"}, small(Tone::kSoft));
  drawing.text({10, 168}, "memory: pages of 16 tokens", small(Tone::kSoft));
  constexpr int kColumns = 7, kPages = 14;
  constexpr double kWide = 57, kHigh = 56;
  for (int page = 0; page < kPages; ++page) {
    const Box box{10 + kWide * (page % kColumns), 178 + (kHigh + 8) * (page / kColumns), kWide - 5,
                  kHigh};
    const Sequence* owner = nullptr;
    std::size_t place = 0;
    for (const Sequence& one : sequences) {
      const auto found = std::find(one.pages.begin(), one.pages.end(), page);
      if (found == one.pages.end()) continue;
      owner = &one;
      place = static_cast<std::size_t>(found - one.pages.begin());
    }
    drawing.box(box, owner != nullptr ? owner->tone : Tone::kPanel);
    drawing.text({box.x + 5, box.y + 16}, std::to_string(page), small(Tone::kSoft));
    if (owner == nullptr) {
      drawing.text({box.centre().x, box.y + 38}, "free", small(Tone::kSoft, Anchor::kMiddle));
      continue;
    }
    drawing.text({box.right() - 5, box.y + 16}, fmt::format("{}{}", owner->name, place),
                 {.size = kSmall, .anchor = Anchor::kEnd, .tone = owner->tone, .bold = true});
    const int first = static_cast<int>(place) * kPage;
    const int filled = std::min(kPage, owner->tokens - first);
    for (int token = 0; token < kPage; ++token) {
      drawing.fill({box.x + 5 + 5.4 * (token % 8), box.y + 24 + 13.0 * (token / 8), 4.2, 11},
                   token < filled ? owner->tone : Tone::kLine, token < filled);
    }
  }
  drawing.text({10, 328},
               fmt::format("One page of a layer: {} tokens x {} heads x {} numbers,", kPage,
                           attention.kv_heads, attention.head_dim),
               small());
  drawing.text({10, 344}, fmt::format("keys and values in 16 bits: {:.0f} KiB", page_bytes / kKibi),
               small());
  return drawing;
})

// --- Split attention ---

FIGURE("split_attention", [](const Sources& sources) {
  const roofline::Multiprocessor sm = sources.machine("h200-sxm").multiprocessor.value();
  const auto heads = static_cast<int>(attention_of(llama(sources)).kv_heads);
  const int parts = sm.count / heads;
  Drawing drawing(412, "Attention over one sequence, split over the context",
                  "Without a split each key-value head is one block, and few multiprocessors have "
                  "work. With the context cut into parts nearly all have, and a merge weighs the "
                  "parts by their sums.");
  const auto processors = [&](double x, double y, int busy, Tone tone) {
    constexpr int kColumns = 22;
    constexpr double kCell = 8.2;
    for (int i = 0; i < sm.count; ++i) {
      drawing.fill(
          {x + kCell * (i % kColumns), y + kCell * (i / kColumns), kCell - 1.6, kCell - 1.6},
          i < busy ? tone : Tone::kLine, i < busy);
    }
  };
  drawing.text({10, 22}, "one block a head", {.size = kLarge, .tone = Tone::kRed, .bold = true});
  for (int head = 0; head < heads; ++head) drawing.box({10, 34 + 10.0 * head, 190, 8}, Tone::kRed);
  drawing.text({10, 134}, "context", small(Tone::kSoft));
  drawing.arrow({64, 130}, {200, 130});
  processors(224, 36, heads, Tone::kRed);
  drawing.text({224, 104}, fmt::format("{} of {} SMs work", heads, sm.count), {.bold = true});

  drawing.text({10, 174}, fmt::format("{} parts: a block for each", parts),
               {.size = kLarge, .tone = Tone::kGreen, .bold = true});
  for (int head = 0; head < heads; ++head) {
    for (int part = 0; part < parts; ++part) {
      const double step = 190.0 / parts;
      drawing.box({10 + step * part, 186 + 10.0 * head, step - 1.5, 8}, Tone::kGreen);
    }
  }
  processors(224, 188, heads * parts, Tone::kGreen);
  drawing.text({224, 256}, fmt::format("{} of {} SMs work", heads * parts, sm.count),
               {.bold = true});

  const double y = 296;
  drawing.arrow({60, 270}, {60, y - 3}, {.tone = Tone::kGreen});
  drawing.arrow({150, 270}, {150, y - 3}, {.tone = Tone::kGreen});
  drawing.box({10, y, 96, 44}, Tone::kGreen, {"part 1", "o, lse"});
  drawing.text({117, y + 27}, "...", {.anchor = Anchor::kMiddle});
  drawing.box({128, y, 96, 44}, Tone::kGreen, {fmt::format("part {}", parts), "o, lse"});
  drawing.arrow({226, y + 22}, {256, y + 22}, {.tone = Tone::kGreen});
  drawing.box({258, y, 152, 44}, Tone::kBlue, {"merge: weigh each o", "by exp(lse - max)"});
  drawing.text({10, y + 68}, "o: a part's weighted sum of values, divided by its own sum;",
               small(Tone::kSoft));
  drawing.text({10, y + 86}, "lse: that sum as a logarithm, with its maximum. The block",
               small(Tone::kSoft));
  drawing.text({10, y + 104}, "of a head that ends last merges all of its parts.",
               small(Tone::kSoft));
  return drawing;
})

// --- Online softmax ---

FIGURE("online_softmax", [](const Sources&) {
  const std::vector<double> inputs = {1, 3, 2, 5, 4};
  constexpr double kLeft = 84, kStep = 66;
  Drawing drawing(
      268, "Online softmax, number by number",
      "Five numbers come one after another. A running maximum m and a running sum l are "
      "kept; when a larger number comes, the sum is corrected by one factor.");
  const char* const rows[] = {"x", "m so far", "factor", "sum l"};
  const double row_y[] = {46, 96, 146, 196};
  for (int row = 0; row < 4; ++row) {
    drawing.text({10, row_y[row] + 5}, rows[row], {.size = kNormal, .tone = Tone::kSoft});
  }
  double maximum = inputs.front();
  double sum = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double x = kLeft + kStep * static_cast<double>(i);
    const double larger = std::max(maximum, inputs[i]);
    const double factor = std::exp(maximum - larger);
    sum = sum * factor + std::exp(inputs[i] - larger);
    const bool is_new = larger > maximum || i == 0;
    maximum = larger;
    drawing.box({x, row_y[0] - 17, 52, 32}, Tone::kPanel, {trimmed(inputs[i], 0)},
                {.size = kLarge, .anchor = Anchor::kMiddle});
    drawing.arrow({x + 26, row_y[0] + 16}, {x + 26, row_y[1] - 18});
    drawing.box({x, row_y[1] - 17, 52, 32}, is_new ? Tone::kOrange : Tone::kPanel,
                {trimmed(maximum, 0)}, {.size = kLarge, .anchor = Anchor::kMiddle, .bold = is_new});
    if (i > 0) {
      drawing.text({x + 26, row_y[2] + 5}, factor < 1 ? "x " + trimmed(factor, 2) : "x 1",
                   {.size = kNormal,
                    .anchor = Anchor::kMiddle,
                    .tone = factor < 1 ? Tone::kOrange : Tone::kSoft,
                    .bold = factor < 1});
      drawing.arrow({x - 13, row_y[3]}, {x - 1, row_y[3]});
    }
    drawing.box({x, row_y[3] - 17, 52, 32}, Tone::kBlue, {fmt::format("{:.3f}", sum)},
                {.size = kNormal, .anchor = Anchor::kMiddle});
  }
  double direct = 0;
  for (const double x : inputs)
    direct += std::exp(x - *std::max_element(inputs.begin(), inputs.end()));
  drawing.text({10, 244},
               fmt::format("In two passes, with the maximum known: {:.3f}, the same.", direct),
               small(Tone::kSoft));
  drawing.text({10, 261}, "The weighted sum of the values takes the same factors.",
               small(Tone::kSoft));
  return drawing;
})

// --- All-reduce in a ring ---

FIGURE("ring_all_reduce", [](const Sources&) {
  constexpr int kRanks = 4;
  // How many ranks' numbers are in piece p of rank r: simulated, with one message to the next rank
  // per step.
  std::array<std::array<int, kRanks>, kRanks> state{};
  for (auto& rank : state) rank.fill(1);
  const auto steps =
      static_cast<int>(roofline::collective_steps(roofline::Collective::kAllReduce, kRanks));
  Drawing drawing(
      382, "A ring all-reduce among four GPUs",
      "Tables of four ranks by four pieces, step by step. In the first three steps each "
      "rank sends one piece to the next, which adds it; then each piece is complete at "
      "one rank. In three more steps the complete pieces travel on.");
  const auto piece_sent = [](int rank, int step) { return (rank - step + 2 * kRanks) % kRanks; };
  constexpr double kCell = 20, kWide = 104;
  const auto table = [&](Point at, int sent_step) {
    for (int rank = 0; rank < kRanks; ++rank) {
      for (int piece = 0; piece < kRanks; ++piece) {
        const int parts = state[static_cast<std::size_t>(rank)][static_cast<std::size_t>(piece)];
        // The piece that arrived in this step.
        const bool has_come = sent_step >= 0 && piece == piece_sent(rank + kRanks - 1, sent_step);
        const Tone tone = parts == kRanks ? Tone::kGreen : parts > 1 ? Tone::kOrange : Tone::kPanel;
        const Box cell{at.x + kCell * piece, at.y + kCell * rank, kCell - 1, kCell - 1};
        drawing.box(cell, tone, {std::to_string(parts)},
                    {.size = kSmall, .anchor = Anchor::kMiddle, .bold = has_come});
        if (has_come) drawing.frame(cell, {.tone = Tone::kText, .width = 1.6});
      }
    }
  };
  drawing.text({10, 20}, "Rows: GPUs 0 to 3. Columns: pieces. A number says how",
               small(Tone::kSoft));
  drawing.text({10, 37}, "many GPUs' values are added up there; framed: just arrived.",
               small(Tone::kSoft));
  const auto place = [&](int shown) {
    return Point{10 + kWide * (shown % 4), shown < 4 ? 76.0 : 218.0};
  };
  const auto title = [&](int shown, const std::string& words) {
    drawing.text({place(shown).x, place(shown).y - 10}, words, {.size = kNormal, .bold = true});
  };
  title(0, "start");
  table(place(0), -1);
  for (int step = 0; step < steps; ++step) {
    const bool adds = step < kRanks - 1;
    auto next = state;
    for (int rank = 0; rank < kRanks; ++rank) {
      const auto to = static_cast<std::size_t>((rank + 1) % kRanks);
      const auto piece = static_cast<std::size_t>(piece_sent(rank, step));
      const int sent = state[static_cast<std::size_t>(rank)][piece];
      next[to][piece] = adds ? state[to][piece] + sent : std::max(state[to][piece], sent);
    }
    state = next;
    const int shown = step + 1;
    title(shown, fmt::format("step {}", step + 1));
    table(place(shown), step);
  }
  for (const auto& rank : state) {
    for (const int parts : rank) {
      if (parts != kRanks) throw std::logic_error("the ring has not reduced everything");
    }
  }
  drawing.text({10, 178}, "steps 1 to 3: send and add (reduce-scatter)",
               {.size = kNormal, .tone = Tone::kOrange, .bold = true});
  drawing.text({10, 320}, "steps 4 to 6: pass on (all-gather)",
               {.size = kNormal, .tone = Tone::kGreen, .bold = true});
  const double sent = roofline::collective_bytes(roofline::Collective::kAllReduce, 1, kRanks);
  drawing.text({10, 346},
               fmt::format("Each GPU sends {} pieces of V/{}: 2 (N - 1)/N = {} of the buffer,",
                           steps, kRanks, trimmed(sent, 2)),
               small());
  drawing.text({10, 364}, fmt::format("in 2 (N - 1) = {} messages, each with its latency.", steps),
               small());
  return drawing;
})

}  // namespace
}  // namespace figures
