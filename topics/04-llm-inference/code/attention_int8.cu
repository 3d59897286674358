// SPDX-License-Identifier: MIT
// Decode attention over a cache in INT8: each key and each value has its own scale in FP16.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

// TODO(04.attention_int8.kernel): write the kernel: a scale belongs to a score, or to a weight.
// The numbers of a key share one scale, so it can be multiplied once, with the score; that of a
// value with the token's weight. No number of the cache is written back to memory.
// END TODO(04.attention_int8.kernel)

/// Like attention_decode, over a cache in INT8: a key or value is its numbers times its scale.
/// @param context tokens in every sequence's cache
/// @param q [batch][query_heads][head_dim]; query_heads is a multiple of kv_heads
/// @param k, v [batch][kv_heads][context][head_dim]; query head h reads key-value head
///   h / (query_heads / kv_heads)
/// @param k_scales, v_scales [batch][kv_heads][context]
/// @param out [batch][query_heads][head_dim]; head_dim is 64, 80 or 128
template <class T>
void attention_int8(int query_heads, int kv_heads, int head_dim, std::int64_t context,
                    gpu::DeviceSpan<const __nv_bfloat16> q, gpu::DeviceSpan<const std::int8_t> k,
                    gpu::DeviceSpan<const __half> k_scales, gpu::DeviceSpan<const std::int8_t> v,
                    gpu::DeviceSpan<const __half> v_scales, gpu::DeviceSpan<T> out) {
  // TODO(04.attention_int8.kernel): launch it; the batch follows from the size of q.
  harness::unsolved("04.attention_int8.kernel",
                    "topics/04-llm-inference/README.md#quantised-cache");
  // END TODO(04.attention_int8.kernel)
}

constexpr int kQueryHeads = 32;
constexpr int kKvHeads = 8;
constexpr int kHeadDim = 128;
constexpr int kBatch = 4;

HARNESS_COUNTED_LAB(attention_int8, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const double pairs = static_cast<double>(n) * kBatch;
                       return {4.0 * kQueryHeads * kHeadDim * pairs,
                               2.0 * kKvHeads * (kHeadDim + 2) * pairs +
                                   6.0 * kBatch * kQueryHeads * kHeadDim};
                     },
                     .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
                       const std::int64_t rows = n * kBatch * kKvHeads;
                       const std::int64_t heads = kBatch * kQueryHeads * kHeadDim;
                       const std::int64_t sizes[] = {
                           heads, rows * kHeadDim, rows, rows * kHeadDim, rows, heads};
                       return sizes[buffer];
                     },
                     .integer_scalar = [](std::int64_t n, int scalar) -> std::int64_t {
                       const std::int64_t values[] = {kQueryHeads, kKvHeads, kHeadDim, n};
                       return values[scalar];
                     },
                     .integer_element = [](std::int64_t, int, std::int64_t index) -> std::int64_t {
                       return index * 2654435761 % 255 - 127;
                     },
                     .default_n = 8192});
