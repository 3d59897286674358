// SPDX-License-Identifier: MIT
// The formulas of usual mistakes in topic 04's functions: a student's function that agrees with one
// of them gets the message that exercises.toml lists for it. What is wrong by one factor throughout
// needs none of these.
#include <algorithm>
#include <cmath>
#include <cstdint>
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
double step_bytes_only(const std::vector<Operator>& operators, const Machine& machine) {
  double seconds = 0;
  for (const Operator& op : operators) seconds += op.bytes / machine.bandwidth;
  return seconds;
}

double parallel_lonely_exchange(double step, int ranks, int exchanges, double bytes, double latency,
                                double bandwidth) {
  if (ranks > 1) {
    return parallel_step_seconds(step, ranks, exchanges, bytes, latency, bandwidth);
  }
  return step + exchanges * latency;
}
double parallel_without_exchange(double step, int ranks, int, double, double, double) {
  return step / ranks;
}
double parallel_without_latency(double step, int ranks, int exchanges, double bytes, double,
                                double bandwidth) {
  return parallel_step_seconds(step, ranks, exchanges, bytes, 0, bandwidth);
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

double parallel_whole_numbers(double step, int ranks, int exchanges, double bytes, double latency,
                              double bandwidth) {
  const int part = 2 * (ranks - 1) / ranks;
  return parallel_step_seconds(step, ranks, exchanges, 0, latency, bandwidth) +
         (ranks == 1 ? 0 : exchanges * part * bytes / bandwidth);
}

Line line_through_ends(const std::vector<Point>& points) {
  static_cast<void>(fit_line(points));  // refuses what has no line
  const double slope = (points.back().y - points.front().y) / (points.back().x - points.front().x);
  return {slope, points.front().y - slope * points.front().x};
}

HARNESS_FUNCTION(kv_cache_whole_windows)
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
HARNESS_FUNCTION(step_bytes_only)
HARNESS_FUNCTION(parallel_lonely_exchange)
HARNESS_FUNCTION(parallel_without_exchange)
HARNESS_FUNCTION(parallel_without_latency)
HARNESS_FUNCTION(line_through_origin)
HARNESS_FUNCTION(merge_without_maximum)
HARNESS_FUNCTION(merge_by_plain_exponentials)
HARNESS_FUNCTION(merge_of_divided)
HARNESS_FUNCTION(merge_mean)
HARNESS_FUNCTION(kv_cache_nothing_without_window)
HARNESS_FUNCTION(largest_batch_not_full)
HARNESS_FUNCTION(largest_batch_negative)
HARNESS_FUNCTION(experts_by_logarithms)
HARNESS_FUNCTION(parallel_whole_numbers)
HARNESS_FUNCTION(line_through_ends)

}  // namespace
