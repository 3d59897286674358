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
  //@solve 04.formulas.largest_batch: whole sequences in what the weights leave.
  const double left = memory_bytes - weight_bytes;
  if (left < cache_bytes_per_sequence) return 0;
  return static_cast<std::int64_t>(std::floor(left / cache_bytes_per_sequence));
  //@stub
  //| harness::unsolved("04.formulas.largest_batch", "topics/04-llm-inference/README.md#memory");
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
  //@solve 04.formulas.experts: the chance that no token chose an expert, and its opposite.
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
  //@solve 04.formulas.speedup: tokens of a round over the decode steps that it costs.
  return expected_tokens(acceptance, drafted) / (1 + drafted * draft_cost);
  //@stub
  //| harness::unsolved("04.formulas.speedup", "topics/04-llm-inference/README.md#speculative");
  //@end
}

double step_seconds(const std::vector<Operator>& operators, const Machine& machine) {
  //@solve 04.formulas.step: each operator has a bound of its own.
  double seconds = 0;
  for (const Operator& op : operators) {
    seconds += std::max(op.flops / machine.peak, op.bytes / machine.bandwidth);
  }
  return seconds;
  //@stub
  //| harness::unsolved("04.formulas.step", "topics/04-llm-inference/README.md#predict");
  //@end
}

double parallel_step_seconds(double step, int ranks, int exchanges, double bytes, double latency,
                             double bandwidth) {
  //@solve 04.formulas.parallel: the divided work and the exchanges.
  if (ranks == 1) return step;
  const double moved = 2.0 * (ranks - 1) / ranks * bytes;
  return step / ranks + exchanges * (latency + moved / bandwidth);
  //@stub
  //| harness::unsolved("04.formulas.parallel", "topics/04-llm-inference/README.md#parallel");
  //@end
}

Line fit_line(const std::vector<Point>& points) {
  //@solve 04.formulas.fit: the least squares of y - slope x - intercept.
  // Of the x themselves: their distances from a rounded mean need not be 0 where all are equal.
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
