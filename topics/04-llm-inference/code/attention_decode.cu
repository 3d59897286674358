// SPDX-License-Identifier: MIT
// Grouped-query attention of one new token per sequence over a contiguous key-value cache.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"
#include "online_attention.hpp"

// TODO(04.attention.decode): write the kernel: each key and value is read once for its query heads.
// One block per sequence and key-value head is a good start. Run through the tokens
// once, with a running maximum and sum, and keep the products with V in FP32.
// END TODO(04.attention.decode)

/// out = softmax(q k^T / sqrt(head_dim)) v for one query token per sequence, on the device.
/// With no token in the cache, or if all scores are minus infinity, the result is 0.
/// @param context tokens in every sequence's cache
/// @param q [batch][query_heads][head_dim]; query_heads is a multiple of kv_heads
/// @param k, v [batch][kv_heads][context][head_dim]; query head h reads key-value head
///   h / (query_heads / kv_heads)
/// @param out [batch][query_heads][head_dim]; head_dim is 64, 80 or 128
void attention_decode(int query_heads, int kv_heads, int head_dim, std::int64_t context,
                      gpu::DeviceSpan<const __nv_bfloat16> q,
                      gpu::DeviceSpan<const __nv_bfloat16> k,
                      gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<float> out) {
  // TODO(04.attention.decode): launch it; the batch follows from the size of q.
  harness::unsolved("04.attention.decode", "topics/04-llm-inference/README.md#attention");
  // END TODO(04.attention.decode)
}

constexpr int kQueryHeads = 32;
constexpr int kKvHeads = 8;
constexpr int kHeadDim = 128;
constexpr int kBatch = 4;

HARNESS_LAB(attention_decode,
            {.work = [](std::int64_t n) -> harness::Work {
               const double pairs = static_cast<double>(n) * kBatch * kHeadDim;
               return {4 * kQueryHeads * pairs,
                       4 * kKvHeads * pairs + 6.0 * kBatch * kQueryHeads * kHeadDim};
             },
             .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
               return buffer == 1 || buffer == 2 ? n * kBatch * kKvHeads * kHeadDim
                                                 : kBatch * kQueryHeads * kHeadDim;
             },
             .integer_scalar = [](std::int64_t n, int scalar) -> std::int64_t {
               const std::int64_t values[] = {kQueryHeads, kKvHeads, kHeadDim, n};
               return values[scalar];
             },
             .default_n = 8192});
