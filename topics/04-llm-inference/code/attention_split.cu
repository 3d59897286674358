// SPDX-License-Identifier: MIT
// Decode attention with the context split over blocks, whose parts are merged at the end.
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"
#include "online_attention.hpp"

// TODO(04.attention.split): write a kernel for one part of the context, and one that merges.
// Part p holds tokens p * ceil(context / parts) ... of the context, and may be empty.
// END TODO(04.attention.split)

/// Like attention_decode, by `parts` blocks for each sequence and key-value head.
/// @param parts at least 1; part p has tokens p * c ... min((p + 1) * c, context) - 1 with c =
///   ceil(context / parts), possibly none
/// @param part_out [batch][query_heads][parts][head_dim]: attention over the part's tokens alone, 0
///   if there are none
/// @param part_lse [batch][query_heads][parts]: log of the sum of exp(score) over the part's
///   tokens, minus infinity if there are none
/// @param out [batch][query_heads][head_dim]
void attention_split(int query_heads, int kv_heads, int head_dim, std::int64_t context, int parts,
                     gpu::DeviceSpan<const __nv_bfloat16> q, gpu::DeviceSpan<const __nv_bfloat16> k,
                     gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<float> part_out,
                     gpu::DeviceSpan<float> part_lse, gpu::DeviceSpan<float> out) {
  // TODO(04.attention.split): launch it; the batch follows from the size of q.
  harness::unsolved("04.attention.split", "topics/04-llm-inference/README.md#split");
  // END TODO(04.attention.split)
}

constexpr int kQueryHeads = 32;
constexpr int kKvHeads = 8;
constexpr int kHeadDim = 128;
constexpr int kParts = 32;

HARNESS_LAB(
    attention_split,
    {.work = [](std::int64_t n) -> harness::Work {
       const double pairs = static_cast<double>(n) * kHeadDim;
       return {4 * kQueryHeads * pairs, 4 * kKvHeads * pairs + 6.0 * kQueryHeads * kHeadDim};
     },
     .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
       if (buffer == 1 || buffer == 2) return n * kKvHeads * kHeadDim;
       if (buffer == 3) return kQueryHeads * kParts * kHeadDim;
       return buffer == 4 ? kQueryHeads * kParts : kQueryHeads * kHeadDim;
     },
     .integer_scalar = [](std::int64_t n, int scalar) -> std::int64_t {
       const std::int64_t values[] = {kQueryHeads, kKvHeads, kHeadDim, n, kParts};
       return values[scalar];
     },
     .default_n = 1 << 17});
