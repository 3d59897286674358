// SPDX-License-Identifier: MIT
// Decode attention with the context split over blocks, and a second kernel that merges the parts.
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"
#include "online_attention.hpp"

//@solve 04.attention.split: write two kernels: one part of the context for one group, and the
template <int kHeads>
inline constexpr int kThreads = online::block_threads(kHeads, 256);
template <int kHeads>
inline constexpr int kResidentBlocks = online::resident_threads(kHeads) / kThreads<kHeads>;

// merge.
constexpr int kMergeThreads = gpu::Features::kIsGpu ? 128 : 1;
constexpr float kLn2 = 0.6931471805599453f;

/// Block (c + chunks * part, s): its chunk c of the query heads of group s, and its part.
template <int kDim, int kHeads>
__global__ __launch_bounds__(kThreads<kHeads>, kResidentBlocks<kHeads>) void attention_part_kernel(
    int ratio, int chunks, int parts, std::int64_t context, const __nv_bfloat16* __restrict__ q,
    const __nv_bfloat16* __restrict__ k, const __nv_bfloat16* __restrict__ v,
    float* __restrict__ part_out, float* __restrict__ part_lse) {
  const std::int64_t group = blockIdx.y;
  const int part = static_cast<int>(blockIdx.x) / chunks;
  const int first_head = static_cast<int>(blockIdx.x) % chunks * kHeads;
  const int heads = min(ratio - first_head, kHeads);
  const std::int64_t tokens = (context + parts - 1) / parts;
  const std::int64_t begin = min(part * tokens, context);
  const std::int64_t end = min(begin + tokens, context);
  const std::int64_t first = group * ratio + first_head;
  const std::int64_t cache = group * context * kDim;
  online::Team<kDim, kHeads, kThreads<kHeads>> team(q + first * kDim, heads);
  team.attend(online::Contiguous{k + cache, v + cache, kDim}, begin, end);
  team.merge([&](int h, int i, float value, float sum, float maximum) {
    if (h >= heads) return;
    const std::int64_t at = (first + h) * parts + part;
    part_out[at * kDim + i] = sum == 0 ? 0 : value / sum;
    if (i == 0) part_lse[at] = sum == 0 ? -INFINITY : (maximum + log2f(sum)) * kLn2;
  });
}

/// One block a head: the parts' outputs, each weighted with exp(lse). Dynamic shared memory:
/// `parts` floats.
__global__ void attention_merge_kernel(int parts, int head_dim, const float* __restrict__ part_out,
                                       const float* __restrict__ part_lse,
                                       float* __restrict__ out) {
  float* const weights = gpu::dynamic_shared<float>();
  const std::int64_t head = blockIdx.x;
  for (int part = static_cast<int>(threadIdx.x); part < parts; part += kMergeThreads) {
    weights[part] = part_lse[head * parts + part];
  }
  __syncthreads();
  float highest = -FLT_MAX;
  for (int part = 0; part < parts; ++part) highest = fmaxf(highest, weights[part]);
  __syncthreads();  // all have read the logarithms before they become weights
  for (int part = static_cast<int>(threadIdx.x); part < parts; part += kMergeThreads) {
    weights[part] = expf(weights[part] - highest);
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < head_dim; i += kMergeThreads) {
    float sum = 0;
    float total = 0;
#pragma unroll 16
    for (int part = 0; part < parts; ++part) {
      sum = fmaf(weights[part], part_out[(head * parts + part) * head_dim + i], sum);
      total += weights[part];
    }
    out[head * head_dim + i] = total == 0 ? 0 : sum / total;
  }
}
//@stub
//| // Part p holds tokens p * ceil(context / parts) ... of the context, and may be empty.
//@end

/// As attention_decode, by `parts` blocks for each sequence and key-value head.
/// @param parts at least 1; part p has tokens p * c ... min((p + 1) * c, context) - 1 with
///   c = ceil(context / parts), which may be none
/// @param part_out [batch][query_heads][parts][head_dim]: attention over the part's tokens alone, 0
///   for none
/// @param part_lse [batch][query_heads][parts]: log of the sum of exp(score) over the part's
/// tokens,
///   minus infinity for none
/// @param out [batch][query_heads][head_dim]
void attention_split(int query_heads, int kv_heads, int head_dim, std::int64_t context, int parts,
                     gpu::DeviceSpan<const __nv_bfloat16> q, gpu::DeviceSpan<const __nv_bfloat16> k,
                     gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<float> part_out,
                     gpu::DeviceSpan<float> part_lse, gpu::DeviceSpan<float> out) {
  //@solve 04.attention.split: launch both; the batch follows from the size of q.
  const int ratio = query_heads / kv_heads;
  const auto heads_in_all = static_cast<unsigned>(out.size()) / head_dim;
  online::with_constants(head_dim, ratio, [&](auto dim, auto heads) {
    const unsigned chunks = gpu::blocks_for(ratio, heads.value);
    const dim3 grid(chunks * parts, heads_in_all / ratio);
    gpu::launch<attention_part_kernel<dim.value, heads.value>>(
        grid, kThreads<heads.value>, ratio, chunks, parts, context, q.data(), k.data(), v.data(),
        part_out.data(), part_lse.data());
  });
  gpu::launch<attention_merge_kernel>({.grid = heads_in_all,
                                       .block = kMergeThreads,
                                       .shared_bytes = (parts + 3) / 4 * sizeof(float4)},
                                      parts, head_dim, part_out.data(), part_lse.data(),
                                      out.data());
  //@stub
  //| harness::unsolved("04.attention.split", "topics/04-llm-inference/README.md#split");
  //@end
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
