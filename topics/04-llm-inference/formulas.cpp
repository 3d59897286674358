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
  // TODO(04.formulas.kv_token): keys and values of all layers, in bytes.
  harness::unsolved("04.formulas.kv_token", "topics/04-llm-inference/README.md#memory");
  // END TODO(04.formulas.kv_token)
}

double kv_cache_bytes(const std::vector<LayerGroup>& groups, std::int64_t context,
                      double bytes_per_layer) {
  // TODO(04.formulas.kv_cache): add up what each group keeps.
  harness::unsolved("04.formulas.kv_cache", "topics/04-llm-inference/README.md#windows");
  // END TODO(04.formulas.kv_cache)
}

std::int64_t largest_batch(double memory_bytes, double weight_bytes,
                           double cache_bytes_per_sequence) {
  // TODO(04.formulas.largest_batch): whole sequences that fit in what the weights leave.
  harness::unsolved("04.formulas.largest_batch", "topics/04-llm-inference/README.md#cache-table");
  // END TODO(04.formulas.largest_batch)
}

double bits_per_weight(double bits, double group, double scale_bits) {
  // TODO(04.formulas.bits): every weight carries its share of a scale.
  harness::unsolved("04.formulas.bits", "topics/04-llm-inference/README.md#quantised");
  // END TODO(04.formulas.bits)
}

double critical_batch(double in, double out, double weight_bytes, double activation_bytes,
                      double ridge) {
  // TODO(04.formulas.critical_batch): solve intensity(B) = ridge for B.
  harness::unsolved("04.formulas.critical_batch", "topics/04-llm-inference/README.md#batch");
  // END TODO(04.formulas.critical_batch)
}

double distinct_experts(double experts, double chosen, std::int64_t tokens) {
  // TODO(04.formulas.experts): the chance that no token chose an expert, and its complement.
  harness::unsolved("04.formulas.experts", "topics/04-llm-inference/README.md#moe");
  // END TODO(04.formulas.experts)
}

double expected_tokens(double acceptance, int drafted) {
  // TODO(04.formulas.speculation): a geometric series.
  harness::unsolved("04.formulas.speculation", "topics/04-llm-inference/README.md#speculative");
  // END TODO(04.formulas.speculation)
}

double speculative_speedup(double acceptance, int drafted, double draft_cost) {
  // TODO(04.formulas.speedup): tokens per round over the decode steps that it costs.
  harness::unsolved("04.formulas.speedup", "topics/04-llm-inference/README.md#speculative");
  // END TODO(04.formulas.speedup)
}

double step_seconds(const std::vector<Operator>& operators, const Machine& machine) {
  // TODO(04.formulas.step): each operator has its own bound.
  harness::unsolved("04.formulas.step", "topics/04-llm-inference/README.md#predict");
  // END TODO(04.formulas.step)
}

double parallel_step_seconds(double step, int ranks, int collectives, double bytes, double latency,
                             double bandwidth) {
  // TODO(04.formulas.parallel): the divided work plus the collectives.
  harness::unsolved("04.formulas.parallel", "topics/04-llm-inference/README.md#parallel");
  // END TODO(04.formulas.parallel)
}

Line fit_line(const std::vector<Point>& points) {
  // TODO(04.formulas.fit): the least squares of y - slope x - intercept.
  harness::unsolved("04.formulas.fit", "topics/04-llm-inference/README.md#fit");
  // END TODO(04.formulas.fit)
}

double merge_parts(const std::vector<Part>& parts) {
  // TODO(04.formulas.merge): bring all parts to one maximum, then divide.
  harness::unsolved("04.formulas.merge", "topics/04-llm-inference/README.md#split");
  // END TODO(04.formulas.merge)
}

double decode_e4m3(std::int64_t code) {
  // TODO(04.formulas.e4m3): sign, four bits of exponent, three of fraction.
  harness::unsolved("04.formulas.e4m3", "topics/04-llm-inference/README.md#formats");
  // END TODO(04.formulas.e4m3)
}

double decode_e5m2(std::int64_t code) {
  // TODO(04.formulas.e5m2): five bits of exponent, two of fraction, infinity and NaN.
  harness::unsolved("04.formulas.e5m2", "topics/04-llm-inference/README.md#formats");
  // END TODO(04.formulas.e5m2)
}

double decode_e2m1(std::int64_t code) {
  // TODO(04.formulas.e2m1): two bits of exponent, one of fraction; all codes are numbers.
  harness::unsolved("04.formulas.e2m1", "topics/04-llm-inference/README.md#formats");
  // END TODO(04.formulas.e2m1)
}

double decode_e8m0(std::int64_t code) {
  // TODO(04.formulas.e8m0): a power of two.
  harness::unsolved("04.formulas.e8m0", "topics/04-llm-inference/README.md#formats");
  // END TODO(04.formulas.e8m0)
}

std::int64_t encode_e4m3(double x) {
  // TODO(04.formulas.to_e4m3): find the spacing of the numbers around x, then round once.
  harness::unsolved("04.formulas.to_e4m3", "topics/04-llm-inference/README.md#formats");
  // END TODO(04.formulas.to_e4m3)
}

std::int64_t encode_e2m1(double x) {
  // TODO(04.formulas.to_e2m1): the same with one bit of fraction.
  harness::unsolved("04.formulas.to_e2m1", "topics/04-llm-inference/README.md#formats");
  // END TODO(04.formulas.to_e2m1)
}

std::int64_t mx_scale(double largest, int element_exponent) {
  // TODO(04.formulas.mx_scale): an exponent, from the bits of the number.
  harness::unsolved("04.formulas.mx_scale", "topics/04-llm-inference/README.md#blocks");
  // END TODO(04.formulas.mx_scale)
}

std::int64_t nvfp4_scale(double block_largest, double tensor_largest) {
  // TODO(04.formulas.nvfp4_scale): the tensor's scale first, then the block's in units of it.
  harness::unsolved("04.formulas.nvfp4_scale", "topics/04-llm-inference/README.md#blocks");
  // END TODO(04.formulas.nvfp4_scale)
}

double mxfp4_error(const std::vector<double>& weights) {
  // TODO(04.formulas.mxfp4_error): find the scale, store each weight, read it, and compare.
  harness::unsolved("04.formulas.mxfp4_error", "topics/04-llm-inference/README.md#blocks");
  // END TODO(04.formulas.mxfp4_error)
}

double tiled_attention_bytes(std::int64_t tokens, std::int64_t queries, double row_bytes) {
  // TODO(04.formulas.tiled_attention): each block of queries reads the keys that it sees.
  harness::unsolved("04.formulas.tiled_attention",
                    "topics/04-llm-inference/README.md#prefill-attention");
  // END TODO(04.formulas.tiled_attention)
}

double attention_seconds(double pairs, int head_dim, double flops_per_second,
                         double exponentials_per_second) {
  // TODO(04.formulas.attention_bound): the longer of two times.
  harness::unsolved("04.formulas.attention_bound",
                    "topics/04-llm-inference/README.md#prefill-attention");
  // END TODO(04.formulas.attention_bound)
}

double int8_error(const std::vector<double>& row) {
  // TODO(04.formulas.int8_error): find the scale, round each number, and compare.
  harness::unsolved("04.formulas.int8_error", "topics/04-llm-inference/README.md#quantised-cache");
  // END TODO(04.formulas.int8_error)
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
