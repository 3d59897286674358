// SPDX-License-Identifier: MIT
// Numbers of topic 04's eight- and four-bit formats.
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "roofline/bounds.hpp"
#include "roofline/llm/format.hpp"
#include "roofline/llm/memory.hpp"
#include "roofline/llm/number_formats.hpp"
#include "shared.hpp"
#include "value.hpp"

namespace {

namespace llm = roofline::llm;
using docs::fixed;
using docs::Row;
using docs::short_number;
using docs::Sources;
using roofline::Precision;

using namespace base::prefixes;

std::string power_of_two(double value) {
  return fmt::format("2^{}", std::ilogb(value));
}

// --- The formats ---

DOC_VALUE("formats.table", [](const Sources&) {
  struct Named {
    const char* name;
    llm::SmallFloat format;
  };
  std::vector<Row> rows;
  for (const Named& one :
       {Named{"E4M3", llm::kE4m3}, Named{"E5M2", llm::kE5m2}, Named{"E2M1", llm::kE2m1}}) {
    const std::vector<double> numbers = llm::magnitudes(one.format);
    const std::size_t fractions = std::size_t{1} << one.format.fraction_bits;
    // The largest rounding error is half a step just above a power of two.
    const double half_a_step = 0.5 / static_cast<double>(fractions);
    rows.push_back(
        {one.name, fmt::format("1 + {} + {}", one.format.exponent_bits, one.format.fraction_bits),
         short_number(numbers.back()), power_of_two(numbers.at(fractions)),
         power_of_two(numbers.at(1)), fixed(kPercent * half_a_step / (1 + half_a_step), 1) + " %"});
  }
  return docs::markdown_table(
      {"format", "bits", "largest", "smallest normal", "smallest", "rounding, at most"}, rows);
})

// --- A block by hand ---

using docs::kBlock;
using docs::nvfp4_block_scale;
using docs::nvfp4_tensor_scale;

double block_scale() {
  return llm::power_of_two_scale(kBlock.back(), llm::magnitudes(llm::kE2m1));
}
DOC_FORMULA("formats.block.scale", power_of_two(block_scale()))
DOC_FORMULA("formats.block.code", fmt::format("{}", std::ilogb(block_scale()) + 127))
DOC_VALUE("formats.block.table", [](const Sources&) {
  const std::vector<double> elements = llm::magnitudes(llm::kE2m1);
  std::vector<Row> rows;
  for (const double weight : kBlock) {
    const double scaled = weight / block_scale();
    const std::size_t code = llm::nearest_code(elements, scaled) + (weight < 0 ? 8 : 0);
    const double stored = block_scale() * llm::nearest(elements, scaled);
    rows.push_back({short_number(weight), fixed(scaled, 3),
                    short_number(llm::nearest(elements, scaled)), fmt::format("{:04b}", code),
                    fixed(stored, 5), fixed(kPercent * (stored / weight - 1), 1)});
  }
  return docs::markdown_table(
      {"weight", "over the scale", "nearest", "code", "read again", "change, %"}, rows);
})
DOC_FORMULA("formats.block.error",
            fixed(llm::relative_error(kBlock, {"MXFP4", llm::magnitudes(llm::kE2m1), 32,
                                               llm::ScaleKind::kPowerOfTwo}) *
                      kPercent,
                  0))
DOC_FORMULA("formats.nvfp4.tensor", fmt::format("{:.3g} x 10^-5", nvfp4_tensor_scale() * 1e5))
DOC_FORMULA("formats.nvfp4.wanted", fixed(kBlock.back() / 6 / nvfp4_tensor_scale(), 1))
DOC_FORMULA("formats.nvfp4.block", short_number(nvfp4_block_scale()))
DOC_FORMULA("formats.nvfp4.largest", fixed(6 * docs::nvfp4_scale(), 4))
DOC_VALUE("formats.nvfp4.error", [](const Sources&) {
  const double scale = docs::nvfp4_scale();
  double changed = 0;
  double all = 0;
  for (const double weight : kBlock) {
    changed +=
        std::pow(scale * llm::nearest(llm::magnitudes(llm::kE2m1), weight / scale) - weight, 2);
    all += weight * weight;
  }
  return fixed(kPercent * std::sqrt(changed / all), 0);
})

// --- Errors measured ---

constexpr std::size_t kColumns = 4096, kRows = 32;
constexpr std::size_t kOutlierEvery = 1024;
constexpr double kOutlier = 10;

/// Normally distributed (Box-Muller); every n-th is larger by a factor.
std::vector<double> weights(bool with_outliers) {
  std::mt19937_64 generator(20260);
  const auto uniform = [&] {
    return (static_cast<double>(generator() >> 11) + 0.5) * std::ldexp(1, -53);
  };
  std::vector<double> result;
  for (std::size_t i = 0; i < kRows * kColumns; ++i) {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double weight = radius * std::cos(2 * std::acos(-1) * uniform());
    result.push_back(with_outliers && i % kOutlierEvery == 0 ? kOutlier * weight : weight);
  }
  return result;
}

struct Stored {
  llm::BlockFormat format;
  double bits = 0;  ///< per weight, including scales
  const char* scale;
};
std::vector<Stored> stored_formats() {
  using llm::ScaleKind;
  const auto e4m3 = llm::magnitudes(llm::kE4m3);
  const auto e5m2 = llm::magnitudes(llm::kE5m2);
  const auto e2m1 = llm::magnitudes(llm::kE2m1);
  const auto bits = [](const char* format) { return llm::parse_format(format).bits_per_element; };
  return {
      {{"FP8, E4M3", e4m3, 0, ScaleKind::kFloat}, bits("fp8"), "FP32, a tensor"},
      {{"FP8, E5M2", e5m2, 0, ScaleKind::kFloat}, bits("fp8"), "FP32, a tensor"},
      {{"INT8", llm::whole_magnitudes(127), kColumns, ScaleKind::kHalf},
       bits("int8/4096"),
       "FP16, a row of 4096"},
      {{"MXFP8, E4M3", e4m3, 32, ScaleKind::kPowerOfTwo}, bits("fp8/32:8"), "E8M0, 32"},
      {{"INT4", llm::whole_magnitudes(7), 128, ScaleKind::kHalf}, bits("int4/128"), "FP16, 128"},
      {{"INT4", llm::whole_magnitudes(7), 32, ScaleKind::kHalf}, bits("int4/32"), "FP16, 32"},
      {{"MXFP4", e2m1, 32, ScaleKind::kPowerOfTwo}, bits("fp4/32:8"), "E8M0, 32"},
      {{"NVFP4", e2m1, 16, ScaleKind::kTwoLevels}, bits("fp4/16:8"), "E4M3, 16; FP32, a tensor"}};
}
DOC_VALUE("formats.errors", [](const Sources&) {
  const std::vector<double> normal = weights(false);
  const std::vector<double> outliers = weights(true);
  std::vector<Row> rows;
  for (const Stored& one : stored_formats()) {
    rows.push_back({one.format.name, one.scale, short_number(one.bits),
                    fixed(kPercent * llm::relative_error(normal, one.format), 1),
                    fixed(kPercent * llm::relative_error(outliers, one.format), 1)});
  }
  return docs::markdown_table(
      {"elements", "scale", "bits a weight", "error, %", "error with outliers, %"}, rows);
})

// --- Unpacking ---

/// Instructions of one lane that a machine can spend per weight while its memory delivers one: an
/// FP32 FMA is one instruction.
double instructions(const Sources& s, std::string_view machine, double bits) {
  const roofline::Roof roof = roofline::roof_of(s.machine(machine), Precision::kFp32);
  return roof.flops_per_second / 2 / (roof.bytes_per_second * 8 / bits);
}
DOC_VALUE("formats.instructions.table", [](const Sources& s) {
  std::vector<Row> rows;
  for (const auto& [name, format] : {std::pair{"BF16", "bf16"},
                                     {"MXFP8", "fp8/32:8"},
                                     {"NVFP4", "fp4/16:8"},
                                     {"MXFP4", "fp4/32:8"},
                                     {"INT4, groups of 128", "int4/128"}}) {
    const double bits = llm::parse_format(format).bits_per_element;
    rows.push_back({name, short_number(bits), fixed(instructions(s, "a100-80gb-sxm", bits), 1),
                    fixed(instructions(s, "h100-sxm", bits), 1),
                    fixed(instructions(s, "b200-hgx", bits), 1)});
  }
  return docs::markdown_table({"weights", "bits", "A100", "H100", "B200"}, rows);
})

// --- W4A16 against W8A8 ---

DOC_VALUE("formats.layer.table", [](const Sources& s) {
  std::vector<Row> rows;
  for (const double batch : {1, 16, 64, 256}) {
    rows.push_back({fixed(batch, 0), fixed(docs::bf16_layer_seconds(s, batch) / kMicro, 1),
                    fixed(docs::w4a16_layer_seconds(s, batch) / kMicro, 1),
                    fixed(docs::w8a8_layer_seconds(s, batch) / kMicro, 1)});
  }
  return docs::markdown_table({"batch", "BF16, us", "W4A16, us", "W8A8, us"}, rows);
})
DOC_VALUE("formats.layer.crossing", [](const Sources& s) {
  int batch = 1;
  while (docs::w4a16_layer_seconds(s, batch) < docs::w8a8_layer_seconds(s, batch)) ++batch;
  return fmt::format("{}", batch);
})
std::string critical(const Sources& s, double weight_bytes, double activation_bytes,
                     Precision precision) {
  const double ridge = roofline::ridge(roofline::roof_of(s.machine("h100-sxm"), precision));
  return fixed(
      roofline::critical_batch({4096, 4096, weight_bytes, activation_bytes}, ridge).value(), 0);
}
DOC_FORMULA("formats.critical.w4a16",
            critical(s, llm::parse_format("int4/128").bytes_per_element(), 2, Precision::kBf16))
DOC_FORMULA("formats.critical.w8a8", critical(s, 1, 1, Precision::kFp8))

// --- Caches ---

DOC_VALUE("formats.cache.table", [](const Sources& s) {
  const llm::Model model = s.model("llama-3.1-8b");
  const auto& heads = std::get<llm::GroupedAttention>(model.layers.front().attention);
  std::vector<Row> rows;
  for (const auto& [name, format] : {std::pair{"BF16", "bf16"},
                                     {"FP8, one scale a tensor", "fp8"},
                                     {"MXFP8", "fp8/32:8"},
                                     {"NVFP4", "fp4/16:8"}}) {
    llm::Formats formats = llm::stored_formats(model);
    formats.kv = llm::parse_format(format);
    const double intensity = 2 * static_cast<double>(heads.query_heads) /
                             (formats.kv.bytes_per_element() * static_cast<double>(heads.kv_heads));
    rows.push_back({name, fixed(llm::kv_bytes_per_token(model, formats), 0), fixed(intensity, 1)});
  }
  return docs::markdown_table({"cache", "B a token", "FLOP/B of decode attention"}, rows);
})

}  // namespace
