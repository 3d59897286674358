// SPDX-License-Identifier: MIT
// Reference values for topic 04: numbers of eight and four bits.
#include <cmath>
#include <vector>

#include "answers_common.hpp"
#include "roofline/bounds.hpp"
#include "roofline/llm/format.hpp"
#include "roofline/llm/number_formats.hpp"

namespace {

using namespace answers04;
namespace llm = roofline::llm;
using harness::Answer;
using harness::Parameters;

// --- Sizes ---

/// Bits per MX element, including its share of the scale of eight bits for `block` elements.
double scaled_bits(double bits, double block, double scale_bits) {
  return bits + scale_bits / block;
}
HARNESS_FORMULA("04.formats.bits", plain(scaled_bits(p["bits"], 32, 8)))
HARNESS_FORMULA("04.formats.bits/no_scales", plain(p["bits"]))
HARNESS_FORMULA("04.formats.bits/nvfp4", plain(scaled_bits(p["bits"], 16, 8)))

Answer llama_70b(const char* format) {
  const llm::Model llama = model("llama-3.1-70b");
  llm::Formats formats = llm::stored_formats(llama);
  formats.weights = formats.head = llm::parse_format(format);
  return Answer::number(llm::weight_bytes(llama, formats), "B");
}
HARNESS_FORMULA("04.formats.size", llama_70b("fp4/32:8"))
HARNESS_FORMULA("04.formats.size/no_scales", llama_70b("fp4"))
HARNESS_FORMULA("04.formats.size/nvfp4", llama_70b("fp4/16:8"))

// --- Range and rounding ---

llm::SmallFloat eight_bits(const Parameters& p, int special_codes) {
  const auto exponent_bits = static_cast<int>(p["exponent"]);
  return {exponent_bits, 7 - exponent_bits, special_codes};
}
double largest(const Parameters& p, int special_codes) {
  return llm::magnitudes(eight_bits(p, special_codes)).back();
}
HARNESS_FORMULA("04.formats.largest", plain(largest(p, 1)))
HARNESS_FORMULA("04.formats.largest/ieee",
                plain(largest(p, 1 << (7 - static_cast<int>(p["exponent"])))))
HARNESS_FORMULA("04.formats.largest/no_nan", plain(largest(p, 0)))
HARNESS_FORMULA("04.formats.largest/power", plain(std::exp2(std::ilogb(largest(p, 1)))))

HARNESS_FORMULA("04.formats.smallest", plain(llm::magnitudes(eight_bits(p, 1)).at(1)))
HARNESS_ANSWER("04.formats.smallest/normal", [](const Parameters& p) {
  const std::vector<double> numbers = llm::magnitudes(eight_bits(p, 1));
  return plain(numbers.at(std::size_t{1} << (7 - static_cast<int>(p["exponent"]))));
})

/// Relative to the number, halfway between a power of two and the next number.
HARNESS_ANSWER("04.formats.rounding", [](const Parameters& p) {
  const double half_a_step = std::exp2(-p["fraction"] - 1);
  return plain(half_a_step / (1 + half_a_step));
})
HARNESS_ANSWER("04.formats.rounding/cut_off", [](const Parameters& p) {
  const double step = std::exp2(-p["fraction"]);
  return plain(step / (1 + step));
})
HARNESS_FORMULA("04.formats.rounding/of_stored", plain(std::exp2(-p["fraction"] - 1)))

/// The stored value for the largest weight of a block if its scale is `times` that of the rule.
double stored_largest(double weight, double times) {
  const std::vector<double> elements = llm::magnitudes(llm::kE2m1);
  const double scale = times * llm::power_of_two_scale(weight, elements);
  return scale * llm::nearest(elements, weight / scale);
}
HARNESS_FORMULA("04.formats.cut_off", plain(1 - stored_largest(p["largest"], 1) / p["largest"]))
HARNESS_FORMULA("04.formats.cut_off/scale_up",
                plain(std::abs(1 - stored_largest(p["largest"], 2) / p["largest"])))
HARNESS_FORMULA("04.formats.cut_off/of_stored",
                plain(p["largest"] / stored_largest(p["largest"], 1) - 1))

// --- W4A16 against W8A8 on an H100 ---

constexpr double kHopperFp8Peak = 1979e12;
constexpr double kH100Ridge = kHopperPeak / kH100Bandwidth;

/// A square layer whose weights and activations take this many bytes.
double layer_seconds(double batch, double size, double weight_bytes, double activation_bytes,
                     double peak) {
  const double bytes = size * size * weight_bytes + 2 * batch * size * activation_bytes;
  return roofline::time_seconds({peak, kH100Bandwidth}, 2 * batch * size * size, bytes);
}
/// The batch up to which W4A16 is faster, by bisection.
double crossing(double size) {
  const double int4 = llm::parse_format("int4/128").bytes_per_element();
  double low = 1, high = 4096;
  for (int i = 0; i < 60; ++i) {
    const double batch = (low + high) / 2;
    const bool is_w4_faster = layer_seconds(batch, size, int4, 2, kHopperPeak) <
                              layer_seconds(batch, size, 1, 1, kHopperFp8Peak);
    (is_w4_faster ? low : high) = batch;
  }
  return low;
}
HARNESS_FORMULA("04.formats.crossing", plain(crossing(p["size"])))
HARNESS_ANSWER("04.formats.crossing/weights", [](const Parameters&) {
  // One byte per weight over the bandwidth, and two FLOPs of BF16.
  return plain(kH100Ridge / 2);
})
HARNESS_ANSWER("04.formats.crossing/critical_w4", [](const Parameters& p) {
  const double int4 = llm::parse_format("int4/128").bytes_per_element();
  return plain(roofline::critical_batch({p["size"], p["size"], int4, 2}, kH100Ridge).value());
})
HARNESS_FORMULA("04.formats.crossing/critical_w8",
                plain(roofline::critical_batch({p["size"], p["size"], 1, 1},
                                               kHopperFp8Peak / kH100Bandwidth)
                          .value()))

// --- The ceiling of the instructions that unpack ---

constexpr double kH100Instructions = 66.9e12 / 2;  // an FP32 FMA is one instruction
double instructions_per_weight(double bits) {
  return kH100Instructions / (kH100Bandwidth * 8 / bits);
}
HARNESS_FORMULA("04.formats.instructions", plain(instructions_per_weight(p["bits"])))
HARNESS_FORMULA("04.formats.instructions/no_scales",
                plain(instructions_per_weight(std::floor(p["bits"]))))
double reached(const Parameters& p) {
  return instructions_per_weight(llm::parse_format("fp4/32:8").bits_per_element) /
         p["instructions"];
}
HARNESS_FORMULA("04.formats.unpacking", plain(reached(p)))
HARNESS_FORMULA("04.formats.unpacking/upside_down", plain(1 / reached(p)))
HARNESS_FORMULA("04.formats.unpacking/flops", plain(2 * reached(p)))

// --- Caches ---

double cache_intensity(double bits) {
  const llm::Model llama = llama_8b();
  const auto& a = std::get<llm::GroupedAttention>(llama.layers.front().attention);
  return 2 * static_cast<double>(a.query_heads) / (bits / 8 * static_cast<double>(a.kv_heads));
}
HARNESS_FORMULA("04.formats.cache", intensity(cache_intensity(p["bits"])))
HARNESS_FORMULA("04.formats.cache/bf16", intensity(cache_intensity(16)))
HARNESS_FORMULA("04.formats.cache/no_scales", intensity(cache_intensity(std::floor(p["bits"]))))

}  // namespace
