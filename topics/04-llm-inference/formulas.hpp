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
/// evenly, and `collectives` all-reduces of `bytes` bytes each take
/// latency + 2 (ranks - 1) / ranks * bytes / bandwidth. One rank takes part in no collective.
double parallel_step_seconds(double step, int ranks, int collectives, double bytes, double latency,
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

// Numbers of eight and four bits: OFP8 1.0 (E4M3, E5M2) and MX 1.0 (E2M1, E8M0) of the OCP. A code
// is what is stored: the sign in the highest bit, then the exponent, then the fraction. E8M0 is an
// exponent alone. What has no number is NaN, what is infinite an infinity of its sign.

/// What a code of E4M3 stands for, 0 to 255.
double decode_e4m3(std::int64_t code);
/// What a code of E5M2 stands for, 0 to 255.
double decode_e5m2(std::int64_t code);
/// What a code of E2M1 stands for, 0 to 15.
double decode_e2m1(std::int64_t code);
/// The scale that a code of E8M0 stands for, 0 to 255.
double decode_e8m0(std::int64_t code);

/// The code of E4M3 nearest to x, of two that are equally near the even one. What is too large,
/// infinity too, becomes the largest number (it saturates); the sign stays, that of zeros too. NaN
/// has the code 127. Rounds once: x is not rounded to FP32 first.
std::int64_t encode_e4m3(double x);
/// The same for E2M1, which has no code for NaN: x is none.
std::int64_t encode_e2m1(double x);

/// The code of E8M0 for the scale of a block by the rule of MX 1.0: the largest power of two that
/// is not above `largest`, the largest magnitude of the block, over 2^element_exponent, the largest
/// power of two of its elements. The smallest code where that is too small, and for a block of
/// zeros.
std::int64_t mx_scale(double largest, int element_exponent);

/// The code of E4M3 for the scale of an NVFP4 block with the largest magnitude `block_largest`, in
/// a tensor with `tensor_largest`. The tensor's own scale takes its largest magnitude to the
/// largest element (of E2M1) times the largest scale (of E4M3).
std::int64_t nvfp4_scale(double block_largest, double tensor_largest);

/// Root mean square of what a block of weights changes by when it is stored in MXFP4 and read
/// again, over the root mean square of the weights. 0 for a block of zeros.
double mxfp4_error(const std::vector<double>& weights);

/// Bytes that one head's causal attention of a prompt moves in tiles: the queries and the output
/// once, and for every block of `queries` queries (the last one may be smaller) the keys and values
/// up to its own last token. A row of each has `row_bytes` bytes.
double tiled_attention_bytes(std::int64_t tokens, std::int64_t queries, double row_bytes);

/// Least time of attention over `pairs` of a query and a key, where matrix units and the units that
/// compute exponentials, one a pair, work at the same time.
double attention_seconds(double pairs, int head_dim, double flops_per_second,
                         double exponentials_per_second);

/// Root mean square of what a key or value changes by when it is stored in whole numbers from -127
/// to 127 with one scale, and read again, over the root mean square of its numbers. 0 for zeros.
double int8_error(const std::vector<double>& row);
