// SPDX-License-Identifier: MIT
// The functions of topic 04. Base units throughout: bytes, FLOPs, seconds, tokens.
#pragma once

#include <cstdint>
#include <vector>

/// Cache bytes added by one token: keys and values of all layers.
double kv_bytes_per_token(std::int64_t layers, std::int64_t kv_heads, std::int64_t head_dim,
                          double bits_per_element);

/// Layers of one kind: they keep at most `window` tokens, or all if it is 0.
struct LayerGroup {
  std::int64_t layers = 0;
  std::int64_t window = 0;
};

/// Cache bytes of one sequence of `context` tokens, if one token of one layer takes
/// `bytes_per_layer`.
double kv_cache_bytes(const std::vector<LayerGroup>& groups, std::int64_t context,
                      double bytes_per_layer);

/// Largest number of sequences whose caches fit in memory with the weights: 0 if not even one does.
std::int64_t largest_batch(double memory_bytes, double weight_bytes,
                           double cache_bytes_per_sequence);

/// Bits per weight including its share of the scales: `group` weights share one.
double bits_per_weight(double bits, double group, double scale_bits);

/// Batch from which on a layer y = W x is compute-bound: its intensity, 2 B in out / (in out w + B
/// (in + out) a) with w and a bytes per weight and activation, reaches the ridge. Infinity if it
/// never does.
double critical_batch(double in, double out, double weight_bytes, double activation_bytes,
                      double ridge);

/// Expected number of distinct experts that `tokens` tokens choose, each `chosen` of `experts`
/// uniformly and independently of the other tokens.
double distinct_experts(double experts, double chosen, std::int64_t tokens);

/// Expected tokens per verification of `drafted` drafted tokens, each accepted with probability
/// `acceptance` provided that all before it were; the verification adds one token of its own.
double expected_tokens(double acceptance, int drafted);

/// Speed-up over plain decoding if drafting one token costs `draft_cost` decode steps and a
/// verification costs one.
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

/// Time of a decode step on `ranks` equal ranks: work that takes `step` seconds on one is divided
/// evenly, and `collectives` all-reduces of `bytes` bytes each take latency + 2 (ranks - 1) /
/// ranks * bytes / bandwidth. A single rank needs no collectives.
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

/// The least-squares line. Throws std::invalid_argument for fewer than two points, or if all have
/// the same x.
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
// is the stored bits: the sign in the highest bit, then the exponent, then the fraction. E8M0 is
// only an exponent. Codes that are not numbers decode to NaN, infinite ones to an infinity of their
// sign.

/// The value of an E4M3 code, 0 to 255.
double decode_e4m3(std::int64_t code);
/// The value of an E5M2 code, 0 to 255.
double decode_e5m2(std::int64_t code);
/// The value of an E2M1 code, 0 to 15.
double decode_e2m1(std::int64_t code);
/// The scale of an E8M0 code, 0 to 255.
double decode_e8m0(std::int64_t code);

/// The E4M3 code nearest to x; in a tie, the even one. Values that are too large, including
/// infinity, become the largest number (it saturates); the sign is kept, also for zeros. NaN has
/// the code 127. Rounds once: x is not rounded to FP32 first.
std::int64_t encode_e4m3(double x);
/// The same for E2M1, which has no code for NaN; x is never NaN.
std::int64_t encode_e2m1(double x);

/// The E8M0 code for the scale of a block by the rule of MX 1.0: the largest power of two that does
/// not exceed `largest`, the largest magnitude of the block, divided by 2^element_exponent, the
/// largest power of two of its elements. The smallest code if that is too small, and for a block of
/// zeros.
std::int64_t mx_scale(double largest, int element_exponent);

/// The E4M3 code for the scale of an NVFP4 block with the largest magnitude `block_largest`, in a
/// tensor with `tensor_largest`. The tensor's own scale maps its largest magnitude to the largest
/// element (of E2M1) times the largest scale (of E4M3).
std::int64_t nvfp4_scale(double block_largest, double tensor_largest);

/// Root mean square of the change in a block of weights when it is stored in MXFP4 and read back,
/// divided by the root mean square of the weights. 0 for a block of zeros.
double mxfp4_error(const std::vector<double>& weights);

/// Bytes that the causal attention of one head moves for a prompt, in tiles: the queries and the
/// output once, and for every block of `queries` queries (the last one may be smaller) the keys and
/// values up to the block's last token. A row of each has `row_bytes` bytes.
double tiled_attention_bytes(std::int64_t tokens, std::int64_t queries, double row_bytes);

/// Least time of attention over `pairs` pairs of a query and a key, if the matrix units and the
/// units that compute exponentials, one per pair, work at the same time.
double attention_seconds(double pairs, int head_dim, double flops_per_second,
                         double exponentials_per_second);

/// Root mean square of the change in a key or value when it is stored in integers from -127 to 127
/// with one scale and read back, divided by the root mean square of its numbers. 0 for zeros.
double int8_error(const std::vector<double>& row);
