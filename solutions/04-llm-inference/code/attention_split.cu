// SPDX-License-Identifier: MIT
// Decode attention with the context split over blocks, whose parts are merged at the end.
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"
#include "online_attention.hpp"

//@solve 04.attention.split: write a kernel for one part of the context, and one that merges.
template <int kHeads>
inline constexpr int kThreads = online::block_threads(kHeads, 256);
template <int kHeads>
inline constexpr int kResidentBlocks = online::resident_threads(kHeads) / kThreads<kHeads>;

constexpr float kLn2 = 0.6931471805599453f;

/// Merges the parts' outputs, each weighted with exp(lse), for `heads` heads from `first` on; the
/// whole block takes part.
template <int kDim, int kBlock>
__device__ __forceinline__ void merge_parts(std::int64_t first, int heads, int parts,
                                            const float* part_out, const float* part_lse,
                                            float* out) {
  constexpr int kPairs = kDim / 2;
  for (int index = static_cast<int>(threadIdx.x); index < heads * kPairs; index += kBlock) {
    const std::int64_t head = first + index / kPairs;
    const float* const lse = part_lse + head * parts;
    const auto* const from =
        reinterpret_cast<const float2*>(part_out + head * parts * kDim) + index % kPairs;
    // Unrolled so that the loads of 32 parts are in flight together.
    float highest = -FLT_MAX;
#pragma unroll 32
    for (int part = 0; part < parts; ++part) highest = fmaxf(highest, lse[part]);
    float2 sum{0, 0};
    float total = 0;
#pragma unroll 32
    for (int part = 0; part < parts; ++part) {
      const float weight = expf(lse[part] - highest);
      const float2 value = from[part * kPairs];
      sum.x = fmaf(weight, value.x, sum.x);
      sum.y = fmaf(weight, value.y, sum.y);
      total += weight;
    }
    reinterpret_cast<float2*>(out + head * kDim)[index % kPairs] =
        total == 0 ? float2{0, 0} : float2{sum.x / total, sum.y / total};
  }
}

/// Block (c + chunks * part, s): its chunk c of the query heads of group s, and its part. The last
/// of a chunk's blocks to finish merges the parts: a second kernel would wait for all chunks, and
/// its launch takes as long as the merge.
/// @param finished [groups][chunks] blocks that have finished, 0 before and after
template <int kDim, int kHeads>
__global__ __launch_bounds__(kThreads<kHeads>, kResidentBlocks<kHeads>) void attention_split_kernel(
    int ratio, int chunks, int parts, std::int64_t context, const __nv_bfloat16* __restrict__ q,
    const __nv_bfloat16* __restrict__ k, const __nv_bfloat16* __restrict__ v, float* part_out,
    float* part_lse, unsigned* finished, float* __restrict__ out) {
  const std::int64_t group = blockIdx.y;
  const int part = static_cast<int>(blockIdx.x) / chunks;
  const int chunk = static_cast<int>(blockIdx.x) % chunks;
  const int heads = min(ratio - chunk * kHeads, kHeads);
  const std::int64_t tokens = (context + parts - 1) / parts;
  const std::int64_t begin = min(part * tokens, context);
  const std::int64_t end = min(begin + tokens, context);
  const std::int64_t first = group * ratio + chunk * kHeads;
  const std::int64_t cache = group * context * kDim;
  online::Team<kDim, kHeads, kThreads<kHeads>> team(q + first * kDim, heads);
  team.attend(online::Contiguous{k + cache, v + cache, kDim}, begin, end);
  team.merge([&](int h, int i, float value, float sum, float maximum) {
    if (h >= heads) return;
    const std::int64_t at = (first + h) * parts + part;
    part_out[at * kDim + i] = sum == 0 ? 0 : value / sum;
    if (i == 0) part_lse[at] = sum == 0 ? -INFINITY : (maximum + log2f(sum)) * kLn2;
  });
  // What this block wrote must be visible before it counts as finished, and the counter must be
  // read before what the others wrote: hence a fence on both sides of the counter.
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned* const count = finished + group * chunks + chunk;
    is_last = atomicAdd(count, 1u) == static_cast<unsigned>(parts) - 1;
    if (is_last) *count = 0;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  merge_parts<kDim, kThreads<kHeads>>(first, heads, parts, part_out, part_lse, out);
}

/// At least `count` zeros on the device, kept between calls.
gpu::DeviceSpan<unsigned> finished_counters(std::size_t count) {
  static gpu::DeviceBuffer<unsigned> counters;
  if (counters.size() < count) {
    counters = gpu::DeviceBuffer<unsigned>(count);
    gpu::fill_bytes(counters, 0);
  }
  return counters;
}
//@stub
//| // Part p holds tokens p * ceil(context / parts) ... of the context, and may be empty.
//@end

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
  //@solve 04.attention.split: launch it; the batch follows from the size of q.
  const int ratio = query_heads / kv_heads;
  const auto groups = static_cast<unsigned>(out.size()) / (ratio * head_dim);
  online::with_constants(head_dim, ratio, [&](auto dim, auto heads) {
    const unsigned chunks = gpu::blocks_for(ratio, heads.value);
    const gpu::DeviceSpan<unsigned> finished = finished_counters(groups * chunks);
    gpu::launch<attention_split_kernel<dim.value, heads.value>>(
        dim3(chunks * parts, groups), kThreads<heads.value>, ratio, chunks, parts, context,
        q.data(), k.data(), v.data(), part_out.data(), part_lse.data(), finished.data(),
        out.data());
  });
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
