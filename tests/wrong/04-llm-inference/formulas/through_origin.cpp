// SPDX-License-Identifier: MIT
// Fits a line through the origin.
// Refused: 04.formulas.fit | failed | should be {slope
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "formulas.hpp"
#include "harness/function.hpp"
#include "harness/unsolved.hpp"

double kv_bytes_per_token(std::int64_t layers, std::int64_t kv_heads, std::int64_t head_dim,
                          double bits_per_element) {
  constexpr double kBitsPerByte = 8;
  return 2.0 * static_cast<double>(layers * kv_heads * head_dim) * bits_per_element / kBitsPerByte;
}

double kv_cache_bytes(const std::vector<LayerGroup>& groups, std::int64_t context,
                      double bytes_per_layer) {
  double tokens = 0;
  for (const LayerGroup& group : groups) {
    const std::int64_t kept = group.window > 0 ? std::min(group.window, context) : context;
    tokens += static_cast<double>(group.layers) * static_cast<double>(kept);
  }
  return tokens * bytes_per_layer;
}

std::int64_t largest_batch(double memory_bytes, double weight_bytes,
                           double cache_bytes_per_sequence) {
  const double left = memory_bytes - weight_bytes;
  if (left < cache_bytes_per_sequence) return 0;
  return static_cast<std::int64_t>(std::floor(left / cache_bytes_per_sequence));
}

double bits_per_weight(double bits, double group, double scale_bits) {
  return bits + scale_bits / group;
}

double critical_batch(double in, double out, double weight_bytes, double activation_bytes,
                      double ridge) {
  const double gained = 2 * in * out - ridge * activation_bytes * (in + out);
  if (gained <= 0) return std::numeric_limits<double>::infinity();
  return ridge * weight_bytes * in * out / gained;
}

double distinct_experts(double experts, double chosen, std::int64_t tokens) {
  return experts * (1 - std::pow(1 - chosen / experts, static_cast<double>(tokens)));
}

double expected_tokens(double acceptance, int drafted) {
  if (acceptance == 1) return drafted + 1;
  return (1 - std::pow(acceptance, drafted + 1)) / (1 - acceptance);
}

double speculative_speedup(double acceptance, int drafted, double draft_cost) {
  return expected_tokens(acceptance, drafted) / (1 + drafted * draft_cost);
}

double step_seconds(const std::vector<Operator>& operators, const Machine& machine) {
  double seconds = 0;
  for (const Operator& op : operators) {
    seconds += std::max(op.flops / machine.peak, op.bytes / machine.bandwidth);
  }
  return seconds;
}

double parallel_step_seconds(double step, int ranks, int exchanges, double bytes, double latency,
                             double bandwidth) {
  if (ranks == 1) return step;
  const double moved = 2.0 * (ranks - 1) / ranks * bytes;
  return step / ranks + exchanges * (latency + moved / bandwidth);
}

Line fit_line(const std::vector<Point>& points) {
  if (points.size() < 2) throw std::invalid_argument("a line needs two points");
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
  if (xx == 0) throw std::invalid_argument("all points have the same x");
  const double slope = xy / xx;
  return {slope, 0};
}

double merge_parts(const std::vector<Part>& parts) {
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
