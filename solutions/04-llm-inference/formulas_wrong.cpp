// SPDX-License-Identifier: MIT
// The formulas behind common mistakes in topic 04's functions: a student's function that agrees
// with one of them gets the message that exercises.toml lists for it. Results that are off by one
// constant factor need no entry here.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "formulas.hpp"
#include "harness/function.hpp"

namespace {

double kv_cache_whole_windows(const std::vector<LayerGroup>& groups, std::int64_t context,
                              double bytes_per_layer) {
  double tokens = 0;
  for (const LayerGroup& group : groups) {
    const std::int64_t kept = group.window > 0 ? group.window : context;
    tokens += static_cast<double>(group.layers) * static_cast<double>(kept);
  }
  return tokens * bytes_per_layer;
}
double kv_cache_of_one_layer(const std::vector<LayerGroup>& groups, std::int64_t context,
                             double bytes_per_layer) {
  std::vector<LayerGroup> single = groups;
  for (LayerGroup& group : single) group.layers = 1;
  return kv_cache_bytes(single, context, bytes_per_layer);
}
double kv_cache_without_windows(const std::vector<LayerGroup>& groups, std::int64_t context,
                                double bytes_per_layer) {
  std::vector<LayerGroup> all = groups;
  for (LayerGroup& group : all) group.window = 0;
  return kv_cache_bytes(all, context, bytes_per_layer);
}

std::int64_t largest_batch_rounded_up(double memory_bytes, double weight_bytes,
                                      double cache_bytes_per_sequence) {
  const double left = memory_bytes - weight_bytes;
  if (left < cache_bytes_per_sequence) return 0;
  return static_cast<std::int64_t>(std::ceil(left / cache_bytes_per_sequence));
}
std::int64_t largest_batch_without_weights(double memory_bytes, double,
                                           double cache_bytes_per_sequence) {
  return largest_batch(memory_bytes, 0, cache_bytes_per_sequence);
}

double bits_without_scales(double bits, double, double) {
  return bits;
}
double bits_with_whole_scale(double bits, double, double scale_bits) {
  return bits + scale_bits;
}

double critical_batch_zero(double in, double out, double weight_bytes, double activation_bytes,
                           double ridge) {
  const double batch = critical_batch(in, out, weight_bytes, activation_bytes, ridge);
  return std::isinf(batch) ? 0 : batch;
}
double critical_batch_without_never(double in, double out, double weight_bytes,
                                    double activation_bytes, double ridge) {
  return ridge * weight_bytes * in * out / (2 * in * out - ridge * activation_bytes * (in + out));
}
double critical_batch_of_16_bits(double in, double out, double, double, double ridge) {
  return critical_batch(in, out, 2, 2, ridge);
}
double critical_batch_of_weights(double, double, double weight_bytes, double, double ridge) {
  return ridge * weight_bytes / 2;
}

double experts_without_overlap(double experts, double chosen, std::int64_t tokens) {
  return std::min(experts, chosen * static_cast<double>(tokens));
}
double experts_one_chosen(double experts, double, std::int64_t tokens) {
  return distinct_experts(experts, 1, tokens);
}

double tokens_without_limit(double acceptance, int drafted) {
  return (1 - std::pow(acceptance, drafted + 1)) / (1 - acceptance);
}
double tokens_without_own(double acceptance, int drafted) {
  return expected_tokens(acceptance, drafted) - 1;
}
double tokens_independent(double acceptance, int drafted) {
  return 1 + acceptance * drafted;
}

double speedup_without_check(double acceptance, int drafted, double draft_cost) {
  return expected_tokens(acceptance, drafted) / (drafted * draft_cost);
}
double speedup_of_free_drafts(double acceptance, int drafted, double) {
  return expected_tokens(acceptance, drafted);
}

double step_longer_sum(const std::vector<Operator>& operators, const Machine& machine) {
  double compute = 0;
  double memory = 0;
  for (const Operator& op : operators) {
    compute += op.flops / machine.peak;
    memory += op.bytes / machine.bandwidth;
  }
  return std::max(compute, memory);
}
double step_added_up(const std::vector<Operator>& operators, const Machine& machine) {
  double seconds = 0;
  for (const Operator& op : operators) {
    seconds += op.flops / machine.peak + op.bytes / machine.bandwidth;
  }
  return seconds;
}
double step_of_the_faster(const std::vector<Operator>& operators, const Machine& machine) {
  double seconds = 0;
  for (const Operator& op : operators) {
    seconds += std::min(op.flops / machine.peak, op.bytes / machine.bandwidth);
  }
  return seconds;
}
double step_bytes_only(const std::vector<Operator>& operators, const Machine& machine) {
  double seconds = 0;
  for (const Operator& op : operators) seconds += op.bytes / machine.bandwidth;
  return seconds;
}

double parallel_lonely_collective(double step, int ranks, int collectives, double bytes,
                                  double latency, double bandwidth) {
  if (ranks > 1) {
    return parallel_step_seconds(step, ranks, collectives, bytes, latency, bandwidth);
  }
  return step + collectives * latency;
}
double parallel_without_collectives(double step, int ranks, int, double, double, double) {
  return step / ranks;
}
double parallel_one_pass(double step, int ranks, int collectives, double bytes, double latency,
                         double bandwidth) {
  return parallel_step_seconds(step, ranks, collectives, bytes / 2, latency, bandwidth);
}
double parallel_without_latency(double step, int ranks, int collectives, double bytes, double,
                                double bandwidth) {
  return parallel_step_seconds(step, ranks, collectives, bytes, 0, bandwidth);
}

Line line_through_origin(const std::vector<Point>& points) {
  return {fit_line(points).slope, 0};
}

double merge_without_maximum(const std::vector<Part>& parts) {
  double sum = 0;
  double weighted = 0;
  for (const Part& part : parts) {
    sum += part.sum;
    weighted += part.weighted;
  }
  return parts.empty() ? 0 : weighted / sum;
}
double merge_by_plain_exponentials(const std::vector<Part>& parts) {
  double sum = 0;
  double weighted = 0;
  for (const Part& part : parts) {
    sum += part.sum * std::exp(part.maximum);
    weighted += part.weighted * std::exp(part.maximum);
  }
  return parts.empty() ? 0 : weighted / sum;
}
double merge_maximum_from_zero(const std::vector<Part>& parts) {
  double highest = 0;
  for (const Part& part : parts) highest = std::max(highest, part.maximum);
  double sum = 0;
  double weighted = 0;
  for (const Part& part : parts) {
    sum += part.sum * std::exp(part.maximum - highest);
    weighted += part.weighted * std::exp(part.maximum - highest);
  }
  return parts.empty() ? 0 : weighted / sum;
}
/// Nothing left of the parts gives 0, not NaN.
double merge_maximum_from_zero_guarded(const std::vector<Part>& parts) {
  const double merged = merge_maximum_from_zero(parts);
  return std::isnan(merged) ? 0 : merged;
}
double merge_of_divided(const std::vector<Part>& parts) {
  std::vector<Part> divided = parts;
  for (Part& part : divided) part.weighted /= part.sum;
  return merge_parts(divided);
}
double merge_mean(const std::vector<Part>& parts) {
  double mean = 0;
  for (const Part& part : parts) {
    mean += part.weighted / part.sum / static_cast<double>(parts.size());
  }
  return mean;
}

double kv_cache_nothing_without_window(const std::vector<LayerGroup>& groups, std::int64_t context,
                                       double bytes_per_layer) {
  double tokens = 0;
  for (const LayerGroup& group : groups) {
    tokens +=
        static_cast<double>(group.layers) * static_cast<double>(std::min(group.window, context));
  }
  return tokens * bytes_per_layer;
}

std::int64_t largest_batch_not_full(double memory_bytes, double weight_bytes,
                                    double cache_bytes_per_sequence) {
  const double left = memory_bytes - weight_bytes;
  const std::int64_t batch = largest_batch(memory_bytes, weight_bytes, cache_bytes_per_sequence);
  return batch > 0 && static_cast<double>(batch) * cache_bytes_per_sequence == left ? batch - 1
                                                                                    : batch;
}
std::int64_t largest_batch_negative(double memory_bytes, double weight_bytes,
                                    double cache_bytes_per_sequence) {
  return static_cast<std::int64_t>(
      std::floor((memory_bytes - weight_bytes) / cache_bytes_per_sequence));
}

double experts_by_logarithms(double experts, double chosen, std::int64_t tokens) {
  return experts * (1 - std::exp(static_cast<double>(tokens) * std::log(1 - chosen / experts)));
}

double parallel_whole_numbers(double step, int ranks, int collectives, double bytes, double latency,
                              double bandwidth) {
  const int part = 2 * (ranks - 1) / ranks;
  return parallel_step_seconds(step, ranks, collectives, 0, latency, bandwidth) +
         (ranks == 1 ? 0 : collectives * part * bytes / bandwidth);
}

Line line_through_ends(const std::vector<Point>& points) {
  static_cast<void>(fit_line(points));  // refuses points without a line
  const double slope = (points.back().y - points.front().y) / (points.back().x - points.front().x);
  return {slope, points.front().y - slope * points.front().x};
}

// --- Numbers of eight and four bits ---

double e4m3_without_subnormals(std::int64_t code) {
  const std::int64_t exponent = code >> 3 & 0xf;
  if (exponent > 0) return decode_e4m3(code);
  const double size = std::ldexp(8 + static_cast<double>(code & 7), -7 - 3);
  return (code & 0x80) != 0 ? -size : size;
}
double e4m3_subnormals_lost(std::int64_t code) {
  return (code >> 3 & 0xf) > 0 ? decode_e4m3(code) : 0;
}
double e4m3_whole_fraction(std::int64_t code) {
  return (code & 0x7f) == 0x7f ? decode_e4m3(code) : e4m3_subnormals_lost(code & ~std::int64_t{7});
}
double e4m3_subnormal_exponent(std::int64_t code) {
  return (code >> 3 & 0xf) > 0 ? decode_e4m3(code) : decode_e4m3(code) / 2;
}
double e4m3_with_infinity(std::int64_t code) {
  if ((code >> 3 & 0xf) < 0xf) return decode_e4m3(code);
  if ((code & 7) != 0) return std::numeric_limits<double>::quiet_NaN();
  return (code & 0x80) != 0 ? -HUGE_VAL : HUGE_VAL;
}
double e4m3_without_nan(std::int64_t code) {
  constexpr double kNext = 480;
  if ((code & 0x7f) != 0x7f) return decode_e4m3(code);
  return (code & 0x80) != 0 ? -kNext : kNext;
}

double e5m2_without_subnormals(std::int64_t code) {
  const std::int64_t exponent = code >> 2 & 0x1f;
  if (exponent > 0) return decode_e5m2(code);
  const double size = std::ldexp(4 + static_cast<double>(code & 3), -15 - 2);
  return (code & 0x80) != 0 ? -size : size;
}
double e5m2_without_infinity(std::int64_t code) {
  if ((code & 0x7f) < 0x7c || (code & 0x7f) == 0x7f) return decode_e5m2(code);
  const double size = std::ldexp(4 + static_cast<double>(code & 3), 0x1f - 15 - 2);
  return (code & 0x80) != 0 ? -size : size;
}
double e5m2_with_one_nan(std::int64_t code) {
  if ((code & 0x7f) <= 0x7c || (code & 0x7f) == 0x7f) return decode_e5m2(code);
  return (code & 0x80) != 0 ? -HUGE_VAL : HUGE_VAL;
}

double e2m1_without_subnormals(std::int64_t code) {
  if ((code & 6) != 0) return decode_e2m1(code);
  const double size = std::ldexp(2 + static_cast<double>(code & 1), -1 - 1);
  return (code & 8) != 0 ? -size : size;
}
double e2m1_with_infinity(std::int64_t code) {
  if ((code & 6) != 6) return decode_e2m1(code);
  if ((code & 1) != 0) return std::numeric_limits<double>::quiet_NaN();
  return (code & 8) != 0 ? -HUGE_VAL : HUGE_VAL;
}
double e2m1_as_integer(std::int64_t code) {
  return static_cast<double>(code < 8 ? code : code - 16);
}

double e8m0_shifted(std::int64_t code) {
  if (code == 0) return 0;
  return code == 255 ? HUGE_VAL : decode_e8m0(code);
}
double e8m0_without_nan(std::int64_t code) {
  return std::ldexp(1, static_cast<int>(code) - 127);
}

/// With the magnitude of x rounded by `round` to a whole number of the steps around it.
template <class Round>
std::int64_t rounded_e4m3(double x, const Round& round) {
  if (std::isnan(x)) return 0x7f;
  const double size = std::min(std::abs(x), 448.0);
  const int exponent = size < std::ldexp(1, -6) ? -6 : std::ilogb(size);
  return (std::signbit(x) ? 0x80 : 0) + (exponent + 6) * 8 +
         static_cast<std::int64_t>(round(std::ldexp(size, 3 - exponent)));
}
std::int64_t to_e4m3_ties_away(double x) {
  return rounded_e4m3(x, [](double steps) { return std::round(steps); });
}
std::int64_t to_e4m3_cut_off(double x) {
  return rounded_e4m3(x, [](double steps) { return std::floor(steps); });
}
std::int64_t to_e4m3_overflowing(double x) {
  constexpr double kFirstTooLarge = 464;  // halfway from 448 to the next number
  if (!(std::abs(x) > kFirstTooLarge)) return encode_e4m3(x);
  return x < 0 ? 0xff : 0x7f;
}
std::int64_t to_e4m3_without_subnormals(double x) {
  if (!(std::abs(x) < std::ldexp(1, -6))) return encode_e4m3(x);
  return std::signbit(x) ? 0x80 : 0;
}
std::int64_t to_e4m3_positive_zero(double x) {
  const std::int64_t code = encode_e4m3(x);
  return code == 0x80 ? 0 : code;
}
std::int64_t to_e4m3_rounded_twice(double x) {
  return encode_e4m3(double{static_cast<float>(x)});
}

template <class Round>
std::int64_t rounded_e2m1(double x, double largest, const Round& round) {
  const double size = std::min(std::abs(x), largest);
  const int exponent = size < 1 ? 0 : std::ilogb(size);
  return (std::signbit(x) ? 8 : 0) + exponent * 2 +
         static_cast<std::int64_t>(round(std::ldexp(size, 1 - exponent)));
}
std::int64_t to_e2m1_ties_away(double x) {
  return rounded_e2m1(x, 6, [](double steps) { return std::round(steps); });
}
std::int64_t to_e2m1_ties_to_zero(double x) {
  return rounded_e2m1(x, 6, [](double steps) { return std::ceil(steps - 0.5); });
}
std::int64_t to_e2m1_cut_off(double x) {
  return rounded_e2m1(x, 6, [](double steps) { return std::floor(steps); });
}
std::int64_t to_e2m1_without_subnormals(double x) {
  if (std::abs(x) >= 1) return encode_e2m1(x);
  return (std::signbit(x) ? 8 : 0) + (std::abs(x) > 0.5 ? 2 : 0);
}
std::int64_t to_e2m1_wrapped(double x) {
  const std::int64_t code =
      rounded_e2m1(std::abs(x), 1e6, [](double steps) { return std::nearbyint(steps); });
  return ((std::signbit(x) ? 8 : 0) + code) & 0xf;
}
std::int64_t to_e2m1_positive_zero(double x) {
  const std::int64_t code = encode_e2m1(x);
  return code == 8 ? 0 : code;
}

std::int64_t mx_scale_rounded_up(double largest, int element_exponent) {
  const bool is_power = largest == 0 || std::ldexp(1, std::ilogb(largest)) == largest;
  return mx_scale(is_power ? largest : 2 * largest, element_exponent);
}
std::int64_t mx_scale_of_weights(double largest, int) {
  return mx_scale(largest, 0);
}
std::int64_t mx_scale_by_logarithm(double largest, int element_exponent) {
  if (largest == 0) return 0;
  const int exponent = static_cast<int>(std::floor(std::log2(largest)));
  return std::clamp(exponent - element_exponent + 127, 0, 254);
}
std::int64_t mx_scale_not_limited(double largest, int element_exponent) {
  return largest == 0 ? 0 : std::ilogb(largest) - element_exponent + 127;
}
std::int64_t mx_scale_nearest(double largest, int element_exponent) {
  if (largest == 0) return 0;
  const int exponent = static_cast<int>(std::lround(std::log2(largest)));
  return std::clamp(exponent - element_exponent + 127, 0, 254);
}

std::int64_t mx_scale_other_bias(double largest, int element_exponent) {
  if (largest == 0) return 0;
  return std::clamp(std::ilogb(largest) - element_exponent + 128, 0, 254);
}

std::int64_t nvfp4_scale_of_one(double block_largest, double tensor_largest) {
  return nvfp4_scale(6 * block_largest, tensor_largest);
}
std::int64_t nvfp4_scale_of_block(double block_largest, double) {
  return encode_e4m3(block_largest / 6);
}
std::int64_t nvfp4_scale_of_largest_scale(double block_largest, double tensor_largest) {
  return encode_e4m3(block_largest / 6 / (tensor_largest / 448));
}
std::int64_t nvfp4_scale_power_of_two(double block_largest, double tensor_largest) {
  const double scale = 448 * block_largest / tensor_largest;
  return encode_e4m3(std::ldexp(1, std::ilogb(scale)));
}

/// With the largest magnitude `largest` instead of the block's.
double mxfp4_error_of(const std::vector<double>& weights, double largest) {
  if (largest == 0) return 0;
  const double scale = decode_e8m0(mx_scale(largest, 2));
  double changed = 0;
  double all = 0;
  for (const double weight : weights) {
    changed += std::pow(scale * decode_e2m1(encode_e2m1(weight / scale)) - weight, 2);
    all += weight * weight;
  }
  return std::sqrt(changed / all);
}
double largest_size(const std::vector<double>& weights) {
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, std::abs(weight));
  return largest;
}
double mxfp4_error_scale_up(const std::vector<double>& weights) {
  const double largest = largest_size(weights);
  const bool is_power = largest == 0 || std::ldexp(1, std::ilogb(largest)) == largest;
  return mxfp4_error_of(weights, is_power ? largest : 2 * largest);
}
double mxfp4_error_signed_largest(const std::vector<double>& weights) {
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, weight);
  return mxfp4_error_of(weights, largest);
}
double mxfp4_error_absolute(const std::vector<double>& weights) {
  double all = 0;
  for (const double weight : weights) all += weight * weight;
  return weights.empty()
             ? 0
             : mxfp4_error(weights) * std::sqrt(all / static_cast<double>(weights.size()));
}
double mxfp4_error_squared(const std::vector<double>& weights) {
  return std::pow(mxfp4_error(weights), 2);
}

/// Queries and output once, and `rows` rows each of keys and values.
double moved_rows(std::int64_t tokens, std::int64_t rows, double row_bytes) {
  return 2 * static_cast<double>(tokens + rows) * row_bytes;
}
double tiled_not_causal(std::int64_t tokens, std::int64_t queries, double row_bytes) {
  return moved_rows(tokens, (tokens + queries - 1) / queries * tokens, row_bytes);
}
double tiled_whole_tiles(std::int64_t tokens, std::int64_t queries, double row_bytes) {
  const std::int64_t blocks = (tokens + queries - 1) / queries;
  return moved_rows(tokens, queries * blocks * (blocks + 1) / 2, row_bytes);
}
double tiled_cut_off(std::int64_t tokens, std::int64_t queries, double row_bytes) {
  const std::int64_t blocks = tokens / queries;
  return moved_rows(tokens, queries * blocks * (blocks + 1) / 2, row_bytes);
}
double tiled_without_queries(std::int64_t tokens, std::int64_t queries, double row_bytes) {
  return tiled_attention_bytes(tokens, queries, row_bytes) - moved_rows(tokens, 0, row_bytes);
}

double attention_one_after_another(double pairs, int head_dim, double flops_per_second,
                                   double exponentials_per_second) {
  return 4 * head_dim * pairs / flops_per_second + pairs / exponentials_per_second;
}
double attention_matrix_only(double pairs, int head_dim, double flops_per_second, double) {
  return 4 * head_dim * pairs / flops_per_second;
}
double attention_one_product(double pairs, int head_dim, double flops_per_second,
                             double exponentials_per_second) {
  return attention_seconds(pairs, head_dim, 2 * flops_per_second, exponentials_per_second);
}

/// With what `stored` makes of each number.
template <class Stored>
double int8_error_with(const std::vector<double>& row, const Stored& stored) {
  double changed = 0;
  double all = 0;
  for (const double number : row) {
    changed += std::pow(stored(number) - number, 2);
    all += number * number;
  }
  return std::sqrt(changed / all);
}
/// With `round` for rounding, and a scale that maps `largest` to `code`.
template <class Round>
double int8_error_of(const std::vector<double>& row, double largest, double code,
                     const Round& round) {
  if (largest == 0) return 0;
  const double scale = largest / code;
  return int8_error_with(
      row, [&](double number) { return scale * std::clamp(round(number / scale), -127.0, 127.0); });
}
double rounded(double x) {
  return std::round(x);
}
double int8_error_signed_largest(const std::vector<double>& row) {
  double largest = 0;
  for (const double number : row) largest = std::max(largest, number);
  return int8_error_of(row, largest, 127, rounded);
}
double int8_error_cut_off(const std::vector<double>& row) {
  return int8_error_of(row, largest_size(row), 127, [](double x) { return std::trunc(x); });
}
/// Divided by the largest number first, which becomes exactly 127.
double int8_error_cut_off_quotient(const std::vector<double>& row) {
  const double largest = largest_size(row);
  if (largest == 0) return 0;
  return int8_error_with(
      row, [&](double number) { return largest / 127 * std::trunc(number / largest * 127); });
}
double int8_error_of_128(const std::vector<double>& row) {
  return int8_error_of(row, largest_size(row), 128, rounded);
}
double int8_error_to_128(const std::vector<double>& row) {
  const double scale = largest_size(row) / 128;
  if (scale == 0) return 0;
  return int8_error_with(row, [&](double number) { return scale * std::round(number / scale); });
}
double int8_error_absolute(const std::vector<double>& row) {
  double all = 0;
  for (const double number : row) all += number * number;
  return int8_error(row) * std::sqrt(all / static_cast<double>(row.size()));
}

HARNESS_FUNCTION(kv_cache_whole_windows)
HARNESS_FUNCTION(kv_cache_of_one_layer)
HARNESS_FUNCTION(kv_cache_without_windows)
HARNESS_FUNCTION(largest_batch_rounded_up)
HARNESS_FUNCTION(largest_batch_without_weights)
HARNESS_FUNCTION(bits_without_scales)
HARNESS_FUNCTION(bits_with_whole_scale)
HARNESS_FUNCTION(critical_batch_zero)
HARNESS_FUNCTION(critical_batch_without_never)
HARNESS_FUNCTION(critical_batch_of_16_bits)
HARNESS_FUNCTION(critical_batch_of_weights)
HARNESS_FUNCTION(experts_without_overlap)
HARNESS_FUNCTION(experts_one_chosen)
HARNESS_FUNCTION(tokens_without_limit)
HARNESS_FUNCTION(tokens_without_own)
HARNESS_FUNCTION(tokens_independent)
HARNESS_FUNCTION(speedup_without_check)
HARNESS_FUNCTION(speedup_of_free_drafts)
HARNESS_FUNCTION(step_longer_sum)
HARNESS_FUNCTION(step_added_up)
HARNESS_FUNCTION(step_of_the_faster)
HARNESS_FUNCTION(step_bytes_only)
HARNESS_FUNCTION(parallel_lonely_collective)
HARNESS_FUNCTION(parallel_without_collectives)
HARNESS_FUNCTION(parallel_one_pass)
HARNESS_FUNCTION(parallel_without_latency)
HARNESS_FUNCTION(line_through_origin)
HARNESS_FUNCTION(merge_without_maximum)
HARNESS_FUNCTION(merge_by_plain_exponentials)
HARNESS_FUNCTION(merge_maximum_from_zero)
HARNESS_FUNCTION(merge_maximum_from_zero_guarded)
HARNESS_FUNCTION(merge_of_divided)
HARNESS_FUNCTION(merge_mean)
HARNESS_FUNCTION(kv_cache_nothing_without_window)
HARNESS_FUNCTION(largest_batch_not_full)
HARNESS_FUNCTION(largest_batch_negative)
HARNESS_FUNCTION(experts_by_logarithms)
HARNESS_FUNCTION(parallel_whole_numbers)
HARNESS_FUNCTION(line_through_ends)
HARNESS_FUNCTION(e4m3_without_subnormals)
HARNESS_FUNCTION(e4m3_subnormals_lost)
HARNESS_FUNCTION(e4m3_whole_fraction)
HARNESS_FUNCTION(e4m3_subnormal_exponent)
HARNESS_FUNCTION(e4m3_with_infinity)
HARNESS_FUNCTION(e4m3_without_nan)
HARNESS_FUNCTION(e5m2_without_subnormals)
HARNESS_FUNCTION(e5m2_without_infinity)
HARNESS_FUNCTION(e5m2_with_one_nan)
HARNESS_FUNCTION(e2m1_without_subnormals)
HARNESS_FUNCTION(e2m1_with_infinity)
HARNESS_FUNCTION(e2m1_as_integer)
HARNESS_FUNCTION(e8m0_shifted)
HARNESS_FUNCTION(e8m0_without_nan)
HARNESS_FUNCTION(to_e4m3_ties_away)
HARNESS_FUNCTION(to_e4m3_cut_off)
HARNESS_FUNCTION(to_e4m3_overflowing)
HARNESS_FUNCTION(to_e4m3_without_subnormals)
HARNESS_FUNCTION(to_e4m3_positive_zero)
HARNESS_FUNCTION(to_e4m3_rounded_twice)
HARNESS_FUNCTION(to_e2m1_ties_away)
HARNESS_FUNCTION(to_e2m1_ties_to_zero)
HARNESS_FUNCTION(to_e2m1_cut_off)
HARNESS_FUNCTION(to_e2m1_without_subnormals)
HARNESS_FUNCTION(to_e2m1_wrapped)
HARNESS_FUNCTION(to_e2m1_positive_zero)
HARNESS_FUNCTION(mx_scale_rounded_up)
HARNESS_FUNCTION(mx_scale_of_weights)
HARNESS_FUNCTION(mx_scale_by_logarithm)
HARNESS_FUNCTION(mx_scale_not_limited)
HARNESS_FUNCTION(mx_scale_nearest)
HARNESS_FUNCTION(mx_scale_other_bias)
HARNESS_FUNCTION(nvfp4_scale_of_one)
HARNESS_FUNCTION(nvfp4_scale_of_block)
HARNESS_FUNCTION(nvfp4_scale_of_largest_scale)
HARNESS_FUNCTION(nvfp4_scale_power_of_two)
HARNESS_FUNCTION(mxfp4_error_scale_up)
HARNESS_FUNCTION(mxfp4_error_signed_largest)
HARNESS_FUNCTION(mxfp4_error_absolute)
HARNESS_FUNCTION(mxfp4_error_squared)
HARNESS_FUNCTION(tiled_not_causal)
HARNESS_FUNCTION(tiled_whole_tiles)
HARNESS_FUNCTION(tiled_cut_off)
HARNESS_FUNCTION(tiled_without_queries)
HARNESS_FUNCTION(attention_one_after_another)
HARNESS_FUNCTION(attention_matrix_only)
HARNESS_FUNCTION(attention_one_product)
HARNESS_FUNCTION(int8_error_signed_largest)
HARNESS_FUNCTION(int8_error_cut_off)
HARNESS_FUNCTION(int8_error_cut_off_quotient)
HARNESS_FUNCTION(int8_error_of_128)
HARNESS_FUNCTION(int8_error_to_128)
HARNESS_FUNCTION(int8_error_absolute)

}  // namespace
