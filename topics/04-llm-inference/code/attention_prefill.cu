// SPDX-License-Identifier: MIT
// Causal grouped-query attention of all tokens of a prompt, in tiles of queries and keys.
// T is float, or a counting number when the work is counted: write T, not float.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "gpu/async_copy.hpp"
#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/tile.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

// TODO(04.attention_prefill.kernel): write the kernel: one tile of queries per block.
// A block per tile of queries and query head is a good start; tiles of keys and values pass
// through shared memory. Keep a running maximum and sum for each query.
// END TODO(04.attention_prefill.kernel)

/// out = softmax(q k^T / sqrt(head_dim)) v on the device, causal: the prompt is the end of the
/// context, so query i sees the keys 0 ... context - tokens + i.
/// @param context keys; at least as many as the prompt has tokens
/// @param q [query_heads][tokens][head_dim]; query_heads is a multiple of kv_heads
/// @param k, v [kv_heads][context][head_dim]; query head h reads key-value head
///   h / (query_heads / kv_heads)
/// @param out [query_heads][tokens][head_dim]; head_dim is 64 or 128
template <class T>
void attention_prefill(int query_heads, int kv_heads, int head_dim, std::int64_t context,
                       gpu::DeviceSpan<const __nv_bfloat16> q,
                       gpu::DeviceSpan<const __nv_bfloat16> k,
                       gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<T> out) {
  // TODO(04.attention_prefill.kernel): launch it; the prompt's length follows from the size of q.
  harness::unsolved("04.attention_prefill.kernel",
                    "topics/04-llm-inference/README.md#prefill-attention");
  // END TODO(04.attention_prefill.kernel)
}

constexpr int kQueryHeads = 32;
constexpr int kKvHeads = 8;
constexpr int kHeadDim = 128;

HARNESS_COUNTED_LAB(attention_prefill, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const auto tokens = static_cast<double>(n);
                       return {2 * kQueryHeads * kHeadDim * tokens * (tokens + 1),
                               (6.0 * kQueryHeads + 4 * kKvHeads) * kHeadDim * tokens};
                     },
                     .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
                       const bool is_cache = buffer == 1 || buffer == 2;
                       return n * kHeadDim * (is_cache ? kKvHeads : kQueryHeads);
                     },
                     .integer_scalar = [](std::int64_t n, int scalar) -> std::int64_t {
                       const std::int64_t values[] = {kQueryHeads, kKvHeads, kHeadDim, n};
                       return values[scalar];
                     },
                     .default_n = gpu::Features::kIsGpu ? 8192 : 512});
