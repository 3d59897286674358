// SPDX-License-Identifier: MIT
// Figures of decode: caches drawn to scale, weights unpacked inside and outside the product, the
// latent shared by all heads, scales of a cache, windows, and the loads of a tile of rows and
// inputs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "figure.hpp"
#include "plot.hpp"
#include "roofline/llm/format.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/operators.hpp"
#include "roofline/llm/parameters.hpp"

namespace figures {
namespace {

namespace llm = roofline::llm;

using namespace base::prefixes;
const Text kNote = small(Tone::kSoft);

// --- What a token leaves ---

FIGURE("cache_areas", [](const Sources& sources) {
  struct Kept {
    const char* id;
    const char* name;
    bool is_compared;  ///< its parameters too: for the smallest and the largest model
  };
  Drawing drawing(352, "The cache of a token in five models, to scale",
                  "A rectangle for each model: as wide as it has layers, as high as a layer keeps "
                  "numbers of a token. Llama-2-7B's is by far the largest, DeepSeek-V3's, with the "
                  "most parameters, the smallest.");
  constexpr double kLeft = 10, kOfLayer = 2.1, kOfNumber = 1.0 / 80, kWords = 190;
  drawing.text({kLeft, 18}, "wide: layers; high: numbers a layer keeps of a token", kNote);
  double y = 34;
  for (const Kept& kept :
       {Kept{"llama-2-7b", "Llama-2-7B", true}, Kept{"llama-3.1-70b", "Llama-3.1-70B", false},
        Kept{"llama-3.1-8b", "Llama-3.1-8B", false}, Kept{"qwen3-30b-a3b", "Qwen3-30B-A3B", false},
        Kept{"deepseek-v3", "DeepSeek-V3", true}}) {
    const llm::Model found = sources.model(kept.id);
    const llm::Formats formats = llm::stored_formats(found);
    double layers = 0;
    for (const llm::LayerGroup& group : found.layers) layers += static_cast<double>(group.count);
    std::string numbers;
    if (const auto* heads = std::get_if<llm::GroupedAttention>(&found.layers.at(0).attention)) {
      numbers = fmt::format("2 x {} heads x {}", heads->kv_heads, heads->head_dim);
    } else {
      const auto& latent = std::get<llm::LatentAttention>(found.layers.at(0).attention);
      numbers = fmt::format("({} + {})", latent.kv_rank, latent.rope_dim);
    }
    const double bytes = llm::kv_bytes_per_token(found, formats);
    const double high = bytes / formats.kv.bytes_per_element() / layers * kOfNumber;
    drawing.fill({kLeft, y, kOfLayer * layers, high}, Tone::kBlue, true);
    drawing.text({kWords, y + 11}, kept.name, {.size = kNormal, .bold = true});
    drawing.text({408, y + 11}, fmt::format("{:.0f} kB", bytes / 1e3),
                 {.size = kNormal, .anchor = Anchor::kEnd, .bold = true});
    drawing.text({kWords, y + 28}, fmt::format("{:.0f} layers x {}", layers, numbers), kNote);
    if (kept.is_compared) {
      drawing.text({kWords, y + 45},
                   fmt::format("{:.0f} billion parameters",
                               static_cast<double>(llm::count_parameters(found).total()) / kGiga),
                   kNote);
    }
    y += std::max(high + 12, 46.0);
  }
  return drawing;
})

// --- Weights in fewer bits ---

FIGURE("unpacked_outside", [](const Sources&) {
  const double full = llm::plain_format(roofline::Precision::kFp16).bits_per_element;
  const double packed = llm::parse_format("int4/128").bits_per_element;
  struct Part {
    const char* words;
    double bits;
    Tone tone;
  };
  struct Way {
    const char* title;
    std::vector<Part> parts;
  };
  const std::vector<Way> ways = {
      {"FP16", {{"read", full, Tone::kBlue}}},
      {"INT4, unpacked inside the product", {{"", packed, Tone::kGreen}}},
      {"INT4, unpacked by a kernel of its own",
       {{"", packed, Tone::kGreen},
        {"FP16 written", full, Tone::kOrange},
        {"and read", full, Tone::kBlue}}}};
  Drawing drawing(232, "Bits that cross memory for one weight",
                  "In FP16 a weight is read with its 16 bits. In INT4 it takes little more than "
                  "four, if the product unpacks them in registers. A kernel that writes weights of "
                  "16 bits for the product to read moves more than twice as much as FP16.");
  constexpr double kLeft = 10, kBit = 6, kHigh = 30;
  double y = 20;
  for (const Way& way : ways) {
    double all = 0;
    for (const Part& part : way.parts) all += part.bits;
    drawing.text({kLeft, y}, way.title, {.size = kNormal, .bold = true});
    double x = kLeft;
    for (const Part& part : way.parts) {
      drawing.box({x, y + 8, kBit * part.bits, kHigh}, part.tone, {part.words},
                  small(Tone::kText, Anchor::kMiddle));
      x += kBit * part.bits;
    }
    const Text beside = small(all > full ? Tone::kRed : Tone::kText);
    drawing.text({x + 10, y + 20}, fmt::format("{} bits", trimmed(all, 3)), beside);
    if (all != full) {
      drawing.text({x + 10, y + 36},
                   all < full ? fmt::format("{:.2f} times fewer", full / all)
                              : fmt::format("{:.2f} times more", all / full),
                   beside);
    }
    y += 74;
  }
  return drawing;
})

// --- Latent attention ---

FIGURE("latent_shared", [](const Sources& sources) {
  const llm::Model whole = sources.model("deepseek-v3");
  const auto& latent = std::get<llm::LatentAttention>(whole.layers.at(0).attention);
  const auto heads = static_cast<double>(latent.heads);
  const auto keys = heads * static_cast<double>(latent.nope_dim + latent.rope_dim);
  const auto values = heads * static_cast<double>(latent.value_dim);
  const auto kept = static_cast<double>(latent.kv_rank + latent.rope_dim);
  const auto intensity = [&](int ranks) {
    for (const llm::Operator& op : llm::pass_operators(
             llm::shard(whole, ranks), llm::stored_formats(whole), llm::decode_pass(1, 4096))) {
      if (op.name == "latent attention") return op.flops / op.kv_bytes;
    }
    throw std::logic_error("DeepSeek-V3 without latent attention");
  };
  Drawing drawing(372, "A latent that all heads share, on one GPU and on eight",
                  "Keys and values of all heads would be many times as many numbers as the latent "
                  "that is kept. On eight GPUs each has an eighth of the heads and reads the whole "
                  "latent for them, at an eighth of the intensity.");
  constexpr double kLeft = 10, kHigh = 44, kLong = 398;
  drawing.text(
      {kLeft, 18},
      fmt::format("numbers of a token and layer, to scale: {:.0f} times", (keys + values) / kept),
      {.size = kNormal, .bold = true});
  const double of_number = kLong / (keys + values);
  const Text middle = small(Tone::kText, Anchor::kMiddle);
  drawing.box({kLeft, 28, of_number * keys, kHigh}, Tone::kPanel,
              {fmt::format("keys, {:.0f} x {}", heads, latent.nope_dim + latent.rope_dim)}, middle);
  drawing.box({kLeft + of_number * keys, 28, of_number * values, kHigh}, Tone::kPanel,
              {fmt::format("values, {:.0f} x {}", heads, latent.value_dim)}, middle);
  drawing.fill({kLeft, 82, of_number * kept, kHigh}, Tone::kOrange, true);
  drawing.text({kLeft + of_number * kept + 8, 109},
               fmt::format("what is kept: {} + {} = {:.0f}", latent.kv_rank, latent.rope_dim, kept),
               {.size = kNormal, .tone = Tone::kOrange});
  double y = 158;
  for (const int ranks : {1, 8}) {
    drawing.text({kLeft, y}, ranks == 1 ? "one GPU" : fmt::format("{} GPUs, heads divided", ranks),
                 {.size = kNormal, .bold = true});
    drawing.text({408, y}, fmt::format("{:.0f} FLOP/B", intensity(ranks)),
                 {.size = kNormal, .anchor = Anchor::kEnd, .bold = true});
    const double wide = kLong / ranks;
    for (int rank = 0; rank < ranks; ++rank) {
      const double x = kLeft + wide * rank, room = wide - (ranks == 1 ? 0 : 6);
      const auto mine = static_cast<int>(latent.heads / ranks);
      for (int head = 0; head < mine; ++head) {
        drawing.fill({x + room * head / mine, y + 10, room / mine * 0.6, 22}, Tone::kBlue, true);
      }
      const Box entry{x + room / 2 - 21, y + 54, 42, 20};
      drawing.line({x, y + 35}, {entry.x, y + 52}, {.tone = Tone::kLine, .width = 1});
      drawing.line({x + room, y + 35}, {entry.right(), y + 52}, {.tone = Tone::kLine, .width = 1});
      drawing.box(entry, Tone::kOrange, {fmt::format("{:.0f}", kept)}, middle);
    }
    y += 106;
  }
  drawing.text({kLeft, y - 6}, "blue: query heads; orange: the latent that they read", kNote);
  return drawing;
})

// --- An eight-bit cache ---

FIGURE("cache_scales", [](const Sources&) {
  constexpr int kChannels = 12, kTokens = 8;
  constexpr std::array<int, 2> kLarge = {3, 9};
  struct Scale {
    const char* words;
    int tokens, channels;  ///< that share a scale
  };
  Drawing drawing(250, "Three ways to share the scales of keys, two channels ten times as large",
                  "One scale for the tensor sees the large channels, and so does each scale of a "
                  "token. Of scales along a channel only those of the two large channels do, and "
                  "all other numbers keep their small steps.");
  constexpr double kCell = 10, kStep = 138;
  drawing.text({10, 20}, "across: channels of a head; down: tokens", kNote);
  double x = 10;
  for (const Scale& scale : {Scale{"the tensor", kTokens, kChannels},
                             Scale{"a token", 1, kChannels}, Scale{"a channel", kTokens, 1}}) {
    drawing.text({x, 46}, scale.words, {.size = kNormal, .bold = true});
    int spoilt = 0, all = 0;
    for (int token = 0; token < kTokens; token += scale.tokens) {
      for (int channel = 0; channel < kChannels; channel += scale.channels) {
        const bool is_spoilt = std::any_of(kLarge.begin(), kLarge.end(), [&](int large) {
          return channel <= large && large < channel + scale.channels;
        });
        ++all;
        spoilt += is_spoilt ? 1 : 0;
        drawing.box({x + kCell * channel, 58 + kCell * token * 1.5, kCell * scale.channels - 1.5,
                     1.5 * kCell * scale.tokens - 2},
                    is_spoilt ? Tone::kRed : Tone::kGreen);
      }
    }
    for (const int large : kLarge) {
      for (int token = 0; token < kTokens; ++token) {
        drawing.fill(
            {x + kCell * large + 1.5, 60 + kCell * token * 1.5, kCell - 4.5, 1.5 * kCell - 6},
            Tone::kText, true);
      }
    }
    drawing.text({x, 200}, fmt::format("{} of {} scales", spoilt, all),
                 {.size = kSmall, .tone = spoilt == all ? Tone::kRed : Tone::kGreen, .bold = true});
    x += kStep;
  }
  drawing.text({10, 218}, "see a number of a large channel (marked); others", kNote);
  drawing.text({10, 236}, "keep the steps that their own numbers ask for.", kNote);
  return drawing;
})

// --- Windows ---

FIGURE("window_cache", [](const Sources& sources) {
  const llm::Model alternating = sources.model("gemma-2-9b");
  const llm::Formats formats = llm::stored_formats(alternating);
  llm::Model full = alternating;
  double window = 0;
  for (llm::LayerGroup& group : full.layers) {
    if (group.window) window = static_cast<double>(*group.window);
    group.window.reset();
  }
  constexpr double kLeast = 1024, kMost = 131072;
  const auto gigabytes = [&](const llm::Model& of, double context) {
    return llm::kv_bytes(of, formats, context) / kGiga;
  };
  Drawing drawing(318, "The cache of a sequence of Gemma-2-9B over its context",
                  "Up to the window the two curves are one. Beyond it the cache with windows grows "
                  "half as fast, and its part of the full one nears a half.");
  Plot plot(drawing, {50, 36, 350, 232},
            {"context",
             kLeast,
             kMost,
             true,
             {{1024, "1 Ki"}, {4096, "4 Ki"}, {16384, "16 Ki"}, {65536, "64 Ki"}}},
            {"GB of one sequence", 0.2, 60, true, ticks({0.3, 1, 3, 10, 30}, 1)});
  std::vector<Point> all, kept;
  for (double context = kLeast; context <= kMost; context *= 2) {
    all.push_back({context, gigabytes(full, context)});
    kept.push_back({context, gigabytes(alternating, context)});
  }
  plot.line({{window, 0.2}, {window, 60}}, {.tone = Tone::kSoft, .width = 1.2, .dashed = true});
  plot.label({window, 60}, {6, 14}, fmt::format("window, {:.0f} tokens", window), kNote);
  plot.line(all, {.tone = Tone::kPurple, .width = 2.4});
  plot.line(kept, {.tone = Tone::kGreen, .width = 2.4});
  plot.label({32768, gigabytes(full, 32768)}, {-8, -4}, "all layers keep all",
             {.size = kNormal, .anchor = Anchor::kEnd, .tone = Tone::kPurple, .bold = true});
  plot.label({16384, gigabytes(alternating, 16384)}, {6, 28}, "half keep a window",
             {.size = kNormal, .tone = Tone::kGreen, .bold = true});
  for (const double context : {8192.0, 65536.0}) {
    const double part = gigabytes(alternating, context) / gigabytes(full, context);
    plot.line({{context, gigabytes(alternating, context)}, {context, gigabytes(full, context)}},
              {.tone = Tone::kSoft, .width = 1.4});
    plot.dots({{context, gigabytes(alternating, context)}}, Tone::kGreen, 4.5);
    plot.label({context, gigabytes(alternating, context)}, {4, 18},
               fmt::format("{:.0f} %", 100 * part),
               {.size = kSmall, .tone = Tone::kGreen, .bold = true});
  }
  return drawing;
})

// --- A product for a batch ---

FIGURE("batch_tile", [](const Sources&) {
  struct Tile {
    int rows;
    int inputs;
  };
  Drawing drawing(
      190, "Loads and products of three tiles of rows and inputs",
      "One row and one input: two loads for one product. Two rows and eight inputs: ten "
      "loads for sixteen. Four and four: eight loads for sixteen.");
  constexpr double kCell = 19, kTop = 44;
  drawing.fill({10, 9, 12, 12}, Tone::kOrange, true);
  drawing.text({28, 20}, "weights loaded", small());
  drawing.fill({142, 9, 12, 12}, Tone::kGreen, true);
  drawing.text({160, 20}, "inputs loaded", small());
  drawing.box({264, 9, 12, 12}, Tone::kBlue);
  drawing.text({282, 20}, "products", small());
  double x = 26;
  for (const Tile& tile : {Tile{1, 1}, Tile{2, 8}, Tile{4, 4}}) {
    const double left = x + kCell + 4, top = kTop + kCell + 4;
    for (int row = 0; row < tile.rows; ++row) {
      drawing.fill({x, top + kCell * row, kCell - 2, kCell - 2}, Tone::kOrange, true);
      for (int input = 0; input < tile.inputs; ++input) {
        drawing.box({left + kCell * input, top + kCell * row, kCell - 2, kCell - 2}, Tone::kBlue);
      }
    }
    for (int input = 0; input < tile.inputs; ++input) {
      drawing.fill({left + kCell * input, kTop, kCell - 2, kCell - 2}, Tone::kGreen, true);
    }
    const int loads = tile.rows + tile.inputs, products = tile.rows * tile.inputs;
    const double right = left + kCell * tile.inputs;
    const double middle = (x + right) / 2;
    drawing.text({middle, 162}, fmt::format("{} loads for {}", loads, products),
                 small(Tone::kText, Anchor::kMiddle));
    drawing.text({middle, 181},
                 fmt::format("{} a product", trimmed(static_cast<double>(loads) / products, 3)),
                 {.size = kSmall, .anchor = Anchor::kMiddle, .tone = Tone::kBlue, .bold = true});
    x = right + 34;
  }
  return drawing;
})

}  // namespace
}  // namespace figures
