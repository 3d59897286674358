// SPDX-License-Identifier: MIT
// Numbers of topic 04's quantised cache.
#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "roofline/llm/memory.hpp"
#include "roofline/llm/number_formats.hpp"
#include "value.hpp"

namespace {

namespace llm = roofline::llm;
using docs::fixed;
using docs::Row;
using docs::Sources;

using namespace base::prefixes;

// --- Bytes and time ---

llm::Model llama(const Sources& sources) {
  return sources.model("llama-3.1-8b");
}
/// A key and a value in each layer and key-value head: the numbers and, in INT8, a two-byte scale.
double token_bytes(const llm::Model& model, double bytes_per_number, double scale_bytes) {
  const auto& attention = std::get<llm::GroupedAttention>(model.layers.front().attention);
  const double vectors = 2 * static_cast<double>(model.layers.front().count * attention.kv_heads);
  return vectors * (static_cast<double>(attention.head_dim) * bytes_per_number + scale_bytes);
}
DOC_FORMULA("kv_quant.bytes", fixed(token_bytes(llama(s), 1, 2), 0))
DOC_VALUE("kv_quant.table", [](const Sources& s) {
  constexpr double kBandwidth = 4800e9;
  const llm::Model model = llama(s);
  const double weights = llm::streamed_weight_bytes(model, llm::stored_formats(model), 1);
  std::vector<Row> rows;
  for (const double batch : {1.0, 16.0, 64.0}) {
    for (const double context : {1024.0, 8192.0}) {
      const auto ms = [&](double bytes) {
        return (weights + batch * context * bytes) / kBandwidth / kMilli;
      };
      const double before = ms(token_bytes(model, 2, 0));
      const double after = ms(token_bytes(model, 1, 2));
      rows.push_back({fixed(batch, 0), fixed(context, 0), fixed(before, 2), fixed(after, 2),
                      fixed(before / after, 2)});
    }
  }
  return docs::markdown_table({"batch", "context", "BF16 cache, ms", "INT8 cache, ms", "gain"},
                              rows);
})

// --- Errors ---

constexpr std::size_t kChannels = 128, kTokens = 1024;
constexpr std::size_t kOutlierEvery = 64;  // channels
constexpr double kOutlier = 10;

bool is_outlier(std::size_t channel) {
  return channel % kOutlierEvery == 0;
}
/// Keys of one head, token by token; normally distributed (Box-Muller), and in two channels ten
/// times as large.
std::vector<double> keys(bool with_outliers) {
  std::mt19937_64 generator(20261);
  const auto uniform = [&] {
    return (static_cast<double>(generator() >> 11) + 0.5) * std::ldexp(1, -53);
  };
  std::vector<double> result;
  for (std::size_t i = 0; i < kTokens * kChannels; ++i) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double number = radius * std::cos(2 * std::acos(-1) * uniform());
    result.push_back(with_outliers && is_outlier(i % kChannels) ? kOutlier * number : number);
  }
  return result;
}
std::vector<double> transposed(const std::vector<double>& numbers, std::size_t rows) {
  const std::size_t columns = numbers.size() / rows;
  std::vector<double> result(numbers.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) result[c * rows + r] = numbers[r * columns + c];
  }
  return result;
}
/// In percent of the root mean square, over the channels without outliers.
std::string error_percent(const llm::BlockFormat& format, bool by_channel, bool with_outliers) {
  const std::vector<double> exact = keys(with_outliers);
  std::vector<double> stored =
      llm::stored_weights(by_channel ? transposed(exact, kTokens) : exact, format);
  if (by_channel) stored = transposed(stored, kChannels);
  double changed = 0;
  double all = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    if (is_outlier(i % kChannels)) continue;
    changed += (stored[i] - exact[i]) * (stored[i] - exact[i]);
    all += exact[i] * exact[i];
  }
  return fixed(kPercent * std::sqrt(changed / all), 1);
}
DOC_VALUE("kv_quant.errors", [](const Sources&) {
  struct Stored {
    const char* elements;
    const char* scale;
    double bits;
    llm::BlockFormat format;
    bool by_channel = false;
  };
  const std::vector<double> int8 = llm::whole_magnitudes(127);
  std::vector<Row> rows;
  for (const Stored& one :
       {Stored{"INT8", "the tensor", 8, {"", int8, 0, llm::ScaleKind::kFloat}},
        Stored{"INT8", "a head and token", 8 + 16.0 / 128, {"", int8, 128, llm::ScaleKind::kHalf}},
        Stored{"INT8", "a channel of 32 tokens", 8.5, {"", int8, 32, llm::ScaleKind::kHalf}, true},
        Stored{"FP8, E4M3",
               "the tensor",
               8,
               {"", llm::magnitudes(llm::kE4m3), 0, llm::ScaleKind::kFloat}}}) {
    rows.push_back({one.elements, one.scale, fmt::format("{:g}", one.bits),
                    error_percent(one.format, one.by_channel, false),
                    error_percent(one.format, one.by_channel, true)});
  }
  return docs::markdown_table(
      {"elements", "a scale for", "bits a number", "error, %", "with two large channels, %"}, rows);
})

}  // namespace
