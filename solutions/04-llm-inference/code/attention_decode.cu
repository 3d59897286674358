// SPDX-License-Identifier: MIT
// Grouped-query attention of one new token per sequence over a contiguous key-value cache.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"
#include "online_attention.hpp"

//@solve 04.attention.decode: write the kernel: each key and value is read once for its query heads.
template <int kHeads>
inline constexpr int kThreads = online::block_threads(kHeads, 256);
template <int kHeads>
inline constexpr int kResidentBlocks = online::resident_threads(kHeads) / kThreads<kHeads>;

/// Block (c, s): query heads c * kHeads ... of the group of sequence and key-value head s.
template <int kDim, int kHeads>
__global__ __launch_bounds__(
    kThreads<kHeads>,
    kResidentBlocks<kHeads>) void attention_decode_kernel(int ratio, std::int64_t context,
                                                          const __nv_bfloat16* __restrict__ q,
                                                          const __nv_bfloat16* __restrict__ k,
                                                          const __nv_bfloat16* __restrict__ v,
                                                          float* __restrict__ out) {
  const std::int64_t group = blockIdx.y;
  const int first_head = static_cast<int>(blockIdx.x) * kHeads;
  const int heads = min(ratio - first_head, kHeads);
  const std::int64_t at = (group * ratio + first_head) * kDim;
  const std::int64_t cache = group * context * kDim;
  online::Team<kDim, kHeads, kThreads<kHeads>> team(q + at, heads);
  team.attend(online::Contiguous{k + cache, v + cache, kDim}, 0, context);
  team.merge([&](int h, int i, float value, float sum, float) {
    if (h < heads) out[at + h * kDim + i] = sum == 0 ? 0 : value / sum;
  });
}
//@stub
//| // One block per sequence and key-value head is a good start. Run through the tokens
//| // once, with a running maximum and sum, and keep the products with V in FP32.
//@end

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
  //@solve 04.attention.decode: launch it; the batch follows from the size of q.
  const int ratio = query_heads / kv_heads;
  const auto groups = static_cast<unsigned>(q.size()) / (ratio * head_dim);
  online::with_constants(head_dim, ratio, [&](auto dim, auto heads) {
    const dim3 grid(gpu::blocks_for(ratio, heads.value), groups);
    gpu::launch<attention_decode_kernel<dim.value, heads.value>>(
        grid, kThreads<heads.value>, ratio, context, q.data(), k.data(), v.data(), out.data());
  });
  //@stub
  //| harness::unsolved("04.attention.decode", "topics/04-llm-inference/README.md#attention");
  //@end
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
