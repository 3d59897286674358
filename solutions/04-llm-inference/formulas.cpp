// SPDX-License-Identifier: MIT
// The functions of topic 04, as formulas.hpp describes them.
#include "formulas.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double kv_bytes_per_token(std::int64_t layers, std::int64_t kv_heads, std::int64_t head_dim,
                          double bits_per_element) {
  //@solve 04.formulas.kv_token: keys and values of all layers, in bytes.
  constexpr double kBitsPerByte = 8;
  return 2.0 * static_cast<double>(layers * kv_heads * head_dim) * bits_per_element / kBitsPerByte;
  //@stub
  //| harness::unsolved("04.formulas.kv_token", "topics/04-llm-inference/README.md#memory");
  //@end
}

double kv_cache_bytes(const std::vector<LayerGroup>& groups, std::int64_t context,
                      double bytes_per_layer) {
  //@solve 04.formulas.kv_cache: add up what each group keeps.
  double tokens = 0;
  for (const LayerGroup& group : groups) {
    const std::int64_t kept = group.window > 0 ? std::min(group.window, context) : context;
    tokens += static_cast<double>(group.layers) * static_cast<double>(kept);
  }
  return tokens * bytes_per_layer;
  //@stub
  //| harness::unsolved("04.formulas.kv_cache", "topics/04-llm-inference/README.md#windows");
  //@end
}

std::int64_t largest_batch(double memory_bytes, double weight_bytes,
                           double cache_bytes_per_sequence) {
  //@solve 04.formulas.largest_batch: whole sequences that fit in what the weights leave.
  const double left = memory_bytes - weight_bytes;
  if (left < cache_bytes_per_sequence) return 0;
  return static_cast<std::int64_t>(std::floor(left / cache_bytes_per_sequence));
  //@stub
  //| harness::unsolved("04.formulas.largest_batch", "topics/04-llm-inference/README.md#cache-table");
  //@end
}

double bits_per_weight(double bits, double group, double scale_bits) {
  //@solve 04.formulas.bits: every weight carries its share of a scale.
  return bits + scale_bits / group;
  //@stub
  //| harness::unsolved("04.formulas.bits", "topics/04-llm-inference/README.md#quantised");
  //@end
}

double critical_batch(double in, double out, double weight_bytes, double activation_bytes,
                      double ridge) {
  //@solve 04.formulas.critical_batch: solve intensity(B) = ridge for B.
  const double gained = 2 * in * out - ridge * activation_bytes * (in + out);
  if (gained <= 0) return std::numeric_limits<double>::infinity();
  return ridge * weight_bytes * in * out / gained;
  //@stub
  //| harness::unsolved("04.formulas.critical_batch", "topics/04-llm-inference/README.md#batch");
  //@end
}

double distinct_experts(double experts, double chosen, std::int64_t tokens) {
  //@solve 04.formulas.experts: the chance that no token chose an expert, and its complement.
  return experts * (1 - std::pow(1 - chosen / experts, static_cast<double>(tokens)));
  //@stub
  //| harness::unsolved("04.formulas.experts", "topics/04-llm-inference/README.md#moe");
  //@end
}

double expected_tokens(double acceptance, int drafted) {
  //@solve 04.formulas.speculation: a geometric series.
  if (acceptance == 1) return drafted + 1;
  return (1 - std::pow(acceptance, drafted + 1)) / (1 - acceptance);
  //@stub
  //| harness::unsolved("04.formulas.speculation", "topics/04-llm-inference/README.md#speculative");
  //@end
}

double speculative_speedup(double acceptance, int drafted, double draft_cost) {
  //@solve 04.formulas.speedup: tokens per round over the decode steps that it costs.
  return expected_tokens(acceptance, drafted) / (1 + drafted * draft_cost);
  //@stub
  //| harness::unsolved("04.formulas.speedup", "topics/04-llm-inference/README.md#speculative");
  //@end
}

double step_seconds(const std::vector<Operator>& operators, const Machine& machine) {
  //@solve 04.formulas.step: each operator has its own bound.
  double seconds = 0;
  for (const Operator& op : operators) {
    seconds += std::max(op.flops / machine.peak, op.bytes / machine.bandwidth);
  }
  return seconds;
  //@stub
  //| harness::unsolved("04.formulas.step", "topics/04-llm-inference/README.md#predict");
  //@end
}

double parallel_step_seconds(double step, int ranks, int collectives, double bytes, double latency,
                             double bandwidth) {
  //@solve 04.formulas.parallel: the divided work plus the collectives.
  if (ranks == 1) return step;
  const double moved = 2.0 * (ranks - 1) / ranks * bytes;
  return step / ranks + collectives * (latency + moved / bandwidth);
  //@stub
  //| harness::unsolved("04.formulas.parallel", "topics/04-llm-inference/README.md#parallel");
  //@end
}

Line fit_line(const std::vector<Point>& points) {
  //@solve 04.formulas.fit: the least squares of y - slope x - intercept.
  // Compare the x values themselves: their distances from a rounded mean need not be 0 if all are
  // equal.
  const bool has_one_x = std::all_of(points.begin(), points.end(), [&](const Point& point) {
    return point.x == points.front().x;
  });
  if (has_one_x) throw std::invalid_argument("a line needs two points of different x");
  const auto count = static_cast<double>(points.size());
  Point mean;
  for (const Point& point : points) {
    mean.x += point.x / count;
    mean.y += point.y / count;
  }
  double xx = 0;
  double xy = 0;
  for (const Point& point : points) {
    xx += (point.x - mean.x) * (point.x - mean.x);
    xy += (point.x - mean.x) * (point.y - mean.y);
  }
  const double slope = xy / xx;
  return {slope, mean.y - slope * mean.x};
  //@stub
  //| harness::unsolved("04.formulas.fit", "topics/04-llm-inference/README.md#fit");
  //@end
}

double merge_parts(const std::vector<Part>& parts) {
  //@solve 04.formulas.merge: bring all parts to one maximum, then divide.
  double highest = -std::numeric_limits<double>::infinity();
  for (const Part& part : parts) highest = std::max(highest, part.maximum);
  double sum = 0;
  double weighted = 0;
  for (const Part& part : parts) {
    const double factor = std::exp(part.maximum - highest);
    sum += factor * part.sum;
    weighted += factor * part.weighted;
  }
  return parts.empty() ? 0 : weighted / sum;
  //@stub
  //| harness::unsolved("04.formulas.merge", "topics/04-llm-inference/README.md#split");
  //@end
}

double decode_e4m3(std::int64_t code) {
  //@solve 04.formulas.e4m3: sign, four bits of exponent, three of fraction.
  constexpr int kBias = 7, kFractionBits = 3;
  if ((code & 0x7f) == 0x7f) return std::numeric_limits<double>::quiet_NaN();
  const double sign = (code & 0x80) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(code >> 3 & 0xf);
  const auto fraction = static_cast<double>(code & 7);
  // Subnormal numbers use the exponent of the smallest normal ones, and no leading 1.
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - kBias - kFractionBits);
  return sign * std::ldexp(8 + fraction, exponent - kBias - kFractionBits);
  //@stub
  //| harness::unsolved("04.formulas.e4m3", "topics/04-llm-inference/README.md#formats");
  //@end
}

double decode_e5m2(std::int64_t code) {
  //@solve 04.formulas.e5m2: five bits of exponent, two of fraction, infinity and NaN.
  constexpr int kBias = 15, kFractionBits = 2;
  const double sign = (code & 0x80) != 0 ? -1 : 1;
  const int exponent = static_cast<int>(code >> 2 & 0x1f);
  const auto fraction = static_cast<double>(code & 3);
  if (exponent == 0x1f) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - kBias - kFractionBits);
  return sign * std::ldexp(4 + fraction, exponent - kBias - kFractionBits);
  //@stub
  //| harness::unsolved("04.formulas.e5m2", "topics/04-llm-inference/README.md#formats");
  //@end
}

double decode_e2m1(std::int64_t code) {
  //@solve 04.formulas.e2m1: two bits of exponent, one of fraction; all codes are numbers.
  constexpr double kMagnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const double magnitude = kMagnitudes[code & 7];
  return (code & 8) != 0 ? -magnitude : magnitude;
  //@stub
  //| harness::unsolved("04.formulas.e2m1", "topics/04-llm-inference/README.md#formats");
  //@end
}

double decode_e8m0(std::int64_t code) {
  //@solve 04.formulas.e8m0: a power of two.
  if (code == 255) return std::numeric_limits<double>::quiet_NaN();
  return std::ldexp(1, static_cast<int>(code) - 127);
  //@stub
  //| harness::unsolved("04.formulas.e8m0", "topics/04-llm-inference/README.md#formats");
  //@end
}

std::int64_t encode_e4m3(double x) {
  //@solve 04.formulas.to_e4m3: find the spacing of the numbers around x, then round once.
  constexpr double kLargest = 448;
  constexpr int kSmallestExponent = -6;
  if (std::isnan(x)) return 0x7f;
  const std::int64_t sign = std::signbit(x) ? 0x80 : 0;
  const double size = std::min(std::abs(x), kLargest);
  const int exponent =
      size == 0 ? kSmallestExponent : std::max(std::ilogb(size), kSmallestExponent);
  // 8 to 15 eighths below the next power of two, fewer if x is subnormal. 16, the next power, is 8
  // of the next exponent, whose code also comes next.
  const std::int64_t eighths = std::llrint(std::ldexp(size, 3 - exponent));
  return sign + (exponent - kSmallestExponent) * 8 + eighths;
  //@stub
  //| harness::unsolved("04.formulas.to_e4m3", "topics/04-llm-inference/README.md#formats");
  //@end
}

std::int64_t encode_e2m1(double x) {
  //@solve 04.formulas.to_e2m1: the same with one bit of fraction.
  constexpr double kLargest = 6;
  const std::int64_t sign = std::signbit(x) ? 8 : 0;
  const double size = std::min(std::abs(x), kLargest);
  const int exponent = size < 1 ? 0 : std::ilogb(size);
  const std::int64_t halves = std::llrint(std::ldexp(size, 1 - exponent));
  return sign + exponent * 2 + halves;
  //@stub
  //| harness::unsolved("04.formulas.to_e2m1", "topics/04-llm-inference/README.md#formats");
  //@end
}

std::int64_t mx_scale(double largest, int element_exponent) {
  //@solve 04.formulas.mx_scale: an exponent, from the bits of the number.
  if (largest == 0) return 0;
  // Not by a logarithm, which rounds up just below a power of two.
  return std::clamp(std::ilogb(largest) - element_exponent + 127, 0, 254);
  //@stub
  //| harness::unsolved("04.formulas.mx_scale", "topics/04-llm-inference/README.md#blocks");
  //@end
}

std::int64_t nvfp4_scale(double block_largest, double tensor_largest) {
  //@solve 04.formulas.nvfp4_scale: the tensor's scale first, then the block's in units of it.
  constexpr double kLargestElement = 6, kLargestScale = 448;
  const double tensor_scale = tensor_largest / (kLargestElement * kLargestScale);
  return encode_e4m3(block_largest / kLargestElement / tensor_scale);
  //@stub
  //| harness::unsolved("04.formulas.nvfp4_scale", "topics/04-llm-inference/README.md#blocks");
  //@end
}

double mxfp4_error(const std::vector<double>& weights) {
  //@solve 04.formulas.mxfp4_error: find the scale, store each weight, read it, and compare.
  constexpr int kElementExponent = 2;
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, std::abs(weight));
  if (largest == 0) return 0;
  const double scale = decode_e8m0(mx_scale(largest, kElementExponent));
  double changed = 0;
  double all = 0;
  for (const double weight : weights) {
    const double difference = scale * decode_e2m1(encode_e2m1(weight / scale)) - weight;
    changed += difference * difference;
    all += weight * weight;
  }
  return std::sqrt(changed / all);
  //@stub
  //| harness::unsolved("04.formulas.mxfp4_error", "topics/04-llm-inference/README.md#blocks");
  //@end
}

double tiled_attention_bytes(std::int64_t tokens, std::int64_t queries, double row_bytes) {
  //@solve 04.formulas.tiled_attention: each block of queries reads the keys that it sees.
  std::int64_t rows = tokens;  // of queries, and as many of the output
  for (std::int64_t begin = 0; begin < tokens; begin += queries) {
    rows += std::min(begin + queries, tokens);
  }
  return 2 * static_cast<double>(rows) * row_bytes;
  //@stub
  //| harness::unsolved("04.formulas.tiled_attention",
  //|                   "topics/04-llm-inference/README.md#prefill-attention");
  //@end
}

double attention_seconds(double pairs, int head_dim, double flops_per_second,
                         double exponentials_per_second) {
  //@solve 04.formulas.attention_bound: the longer of two times.
  return std::max(4 * head_dim * pairs / flops_per_second, pairs / exponentials_per_second);
  //@stub
  //| harness::unsolved("04.formulas.attention_bound",
  //|                   "topics/04-llm-inference/README.md#prefill-attention");
  //@end
}

double int8_error(const std::vector<double>& row) {
  //@solve 04.formulas.int8_error: find the scale, round each number, and compare.
  constexpr double kLargestCode = 127;
  double largest = 0;
  for (const double number : row) largest = std::max(largest, std::abs(number));
  if (largest == 0) return 0;
  const double scale = largest / kLargestCode;
  double changed = 0;
  double all = 0;
  for (const double number : row) {
    const double difference = scale * std::round(number / scale) - number;
    changed += difference * difference;
    all += number * number;
  }
  return std::sqrt(changed / all);
  //@stub
  //| harness::unsolved("04.formulas.int8_error", "topics/04-llm-inference/README.md#quantised-cache");
  //@end
}

HARNESS_FUNCTION(kv_bytes_per_token)
HARNESS_FUNCTION(kv_cache_bytes)
HARNESS_FUNCTION(largest_batch)
HARNESS_FUNCTION(bits_per_weight)
HARNESS_FUNCTION(critical_batch)
HARNESS_FUNCTION(distinct_experts)
HARNESS_FUNCTION(expected_tokens)
HARNESS_FUNCTION(speculative_speedup)
HARNESS_FUNCTION(step_seconds)
HARNESS_FUNCTION(parallel_step_seconds)
HARNESS_FUNCTION(fit_line)
HARNESS_FUNCTION(merge_parts)
HARNESS_FUNCTION(decode_e4m3)
HARNESS_FUNCTION(decode_e5m2)
HARNESS_FUNCTION(decode_e2m1)
HARNESS_FUNCTION(decode_e8m0)
HARNESS_FUNCTION(encode_e4m3)
HARNESS_FUNCTION(encode_e2m1)
HARNESS_FUNCTION(mx_scale)
HARNESS_FUNCTION(nvfp4_scale)
HARNESS_FUNCTION(mxfp4_error)
HARNESS_FUNCTION(tiled_attention_bytes)
HARNESS_FUNCTION(attention_seconds)
HARNESS_FUNCTION(int8_error)
