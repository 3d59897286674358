// SPDX-License-Identifier: MIT
// The functions of topic 04. Base units throughout: bytes, FLOPs, seconds, tokens.
#pragma once

#include <cstdint>
#include <vector>

/// Cache bytes that one token adds: keys and values of all layers.
double kv_bytes_per_token(std::int64_t layers, std::int64_t kv_heads, std::int64_t head_dim,
                          double bits_per_element);

/// Layers that are alike: `window` tokens are kept at most, or all when it is 0.
struct LayerGroup {
  std::int64_t layers = 0;
  std::int64_t window = 0;
};

/// Cache bytes of one sequence of `context` tokens, when one token of one layer takes
/// `bytes_per_layer`.
double kv_cache_bytes(const std::vector<LayerGroup>& groups, std::int64_t context,
                      double bytes_per_layer);

/// Largest number of sequences whose caches fit beside the weights: 0 when not one does.
std::int64_t largest_batch(double memory_bytes, double weight_bytes,
                           double cache_bytes_per_sequence);

/// Bits of a weight with its share of the scales: `group` weights share one.
double bits_per_weight(double bits, double group, double scale_bits);

/// Batch from which a layer y = W x is compute-bound: its intensity,
/// 2 B in out / (in out w + B (in + out) a) with w and a bytes a weight and an activation, reaches
/// the ridge. Infinity when it never does.
double critical_batch(double in, double out, double weight_bytes, double activation_bytes,
                      double ridge);

/// Expected number of distinct experts that `tokens` tokens choose, each `chosen` of `experts`
/// uniformly and independently of the other tokens.
double distinct_experts(double experts, double chosen, std::int64_t tokens);

/// Expected tokens of one check of `drafted` drafted tokens, each accepted with probability
/// `acceptance` as long as all before it were; the check adds one token of its own.
double expected_tokens(double acceptance, int drafted);

/// Speed-up over plain decoding when drafting one token costs `draft_cost` decode steps and a check
/// costs one.
double speculative_speedup(double acceptance, int drafted, double draft_cost);

struct Operator {
  double flops = 0;
  double bytes = 0;
};
struct Machine {
  double peak = 0;
  double bandwidth = 0;
};

/// Time of operators that run one after the other.
double step_seconds(const std::vector<Operator>& operators, const Machine& machine);

/// Time of a decode step on `ranks` equal ranks: what takes `step` seconds on one is divided
/// evenly, and `exchanges` all-reduces of `bytes` bytes each take
/// latency + 2 (ranks - 1) / ranks * bytes / bandwidth. One rank exchanges nothing.
double parallel_step_seconds(double step, int ranks, int exchanges, double bytes, double latency,
                             double bandwidth);

struct Line {
  double slope = 0;
  double intercept = 0;
};
struct Point {
  double x = 0;
  double y = 0;
};

/// The line of least squares. Throws std::invalid_argument for fewer than two points, or when all
/// have the same x.
Line fit_line(const std::vector<Point>& points);

/// Attention over a part of the context: the largest score, the sum of exp(score - maximum), and
/// the sum of exp(score - maximum) times the value (one number of it).
struct Part {
  double maximum = 0;
  double sum = 0;
  double weighted = 0;
};

/// Attention over all parts together: the weighted mean of the values; 0 without parts.
double merge_parts(const std::vector<Part>& parts);
