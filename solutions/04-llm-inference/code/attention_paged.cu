// SPDX-License-Identifier: MIT
// Decode attention over a key-value cache in pages, with sequences of different lengths.
#include <algorithm>
#include <cfloat>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/overlap.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"
#include "online_attention.hpp"

/// Tokens in a page.
constexpr int kPageTokens = 16;

//@solve 04.attention.paged: write the kernel: look up the page, then continue as before.
template <int kHeads>
inline constexpr int kThreads = online::block_threads(kHeads, 256);
template <int kHeads>
inline constexpr int kResidentBlocks = online::resident_threads(kHeads) / kThreads<kHeads>;

/// Where results go: in FP32, or in FP16 as a product reads them.
struct Results {
  float* floats;
  __half* halves;  // null: in FP32

  __device__ __forceinline__ void put(std::int64_t at, float value) const {
    if (halves == nullptr) {
      floats[at] = value;
    } else {
      halves[at] = __float2half(value);
    }
  }
};

/// A paged cache: the position of `token` of one sequence for one key-value head.
struct Paged {
  const __nv_bfloat16* keys;
  const __nv_bfloat16* values;
  const std::int32_t* table;  // of this sequence
  int kv_heads;
  int kv_head;
  int dim;

  __device__ std::int64_t row(std::int64_t token) const {
    const std::int64_t page = table[token / kPageTokens];
    return ((page * kv_heads + kv_head) * kPageTokens + token % kPageTokens) * dim;
  }
};

template <int kDim, int kHeads>
__global__ __launch_bounds__(kThreads<kHeads>, kResidentBlocks<kHeads>) void attention_paged_kernel(
    int ratio, int kv_heads, int pages_per_sequence, const std::int32_t* lengths,
    const std::int32_t* table, const __nv_bfloat16* q, const __nv_bfloat16* k,
    const __nv_bfloat16* v, Results out) {
  gpu::let_next_kernel_begin();
  gpu::wait_for_kernel_before();
  const int group = static_cast<int>(blockIdx.y);
  const int sequence = group / kv_heads;
  const int first_head = static_cast<int>(blockIdx.x) * kHeads;
  const int heads = min(ratio - first_head, kHeads);
  const std::int64_t at = (std::int64_t{group} * ratio + first_head) * kDim;
  const Paged cache{
      k, v, table + std::int64_t{sequence} * pages_per_sequence, kv_heads, group % kv_heads, kDim};
  online::Team<kDim, kHeads, kThreads<kHeads>> team(q + at, heads);
  team.attend(cache, 0, lengths[sequence]);
  team.merge([&](int h, int i, float value, float sum, float) {
    if (h < heads) out.put(at + h * kDim + i, sum == 0 ? 0 : value / sum);
  });
}

// With few sequences there are too few blocks for a GPU, and one block takes long over a long
// context. Then several blocks share it, as in attention_split.cu.
constexpr int kLeastTokens = 128;  // per part: one turn of all teams of a block
constexpr int kMostBlocks = 1024;
constexpr int kMostHeads = 8;  // per block
constexpr int kMostDim = 128;

/// What the blocks leave for the last one of them to finish.
struct PartResults {
  float* values;       // [block][head][number], unnormalised
  float2* sums;        // [block][head]: the sum, and the maximum that its terms are relative to
  unsigned* finished;  // [chunk of a group] blocks that have finished, 0 before and after
};

/// Merges blocks `first`, first + step, ..., each with one part of `heads` heads.
template <int kDim, int kHeads>
__device__ __forceinline__ void merge_parts(const PartResults& results, std::int64_t first,
                                            int step, int parts, int heads, const Results& out,
                                            std::int64_t at_out) {
  for (int index = static_cast<int>(threadIdx.x); index < heads * kDim; index += kThreads<kHeads>) {
    const std::int64_t at = first * kHeads + index / kDim;
    const float2* const sums = results.sums + at;
    const float* const values = results.values + at * kDim + index % kDim;
    float highest = -FLT_MAX;
#pragma unroll 8
    for (int p = 0; p < parts; ++p) highest = fmaxf(highest, sums[p * step * kHeads].y);
    float total = 0;
    float weighted = 0;
#pragma unroll 8
    for (int p = 0; p < parts; ++p) {
      const float2 part = sums[p * step * kHeads];
      const float factor = exp2f(part.y - highest);
      total = fmaf(factor, part.x, total);
      weighted = fmaf(factor, values[std::int64_t{p} * step * kHeads * kDim], weighted);
    }
    out.put(at_out + index, total == 0 ? 0 : weighted / total);
  }
}

template <int kDim, int kHeads>
__global__ __launch_bounds__(kThreads<kHeads>, kResidentBlocks<kHeads>) void attention_parts_kernel(
    int ratio, int kv_heads, int pages_per_sequence, int chunks, int parts,
    const std::int32_t* lengths, const std::int32_t* table, const __nv_bfloat16* q,
    const __nv_bfloat16* k, const __nv_bfloat16* v, PartResults results, Results out) {
  gpu::let_next_kernel_begin();
  gpu::wait_for_kernel_before();
  const int group = static_cast<int>(blockIdx.y);
  const int sequence = group / kv_heads;
  const int chunk = static_cast<int>(blockIdx.x) % chunks;
  const int part = static_cast<int>(blockIdx.x) / chunks;
  const int heads = min(ratio - chunk * kHeads, kHeads);
  const std::int64_t at = (std::int64_t{group} * ratio + chunk * kHeads) * kDim;
  const int pages = (lengths[sequence] + kPageTokens - 1) / kPageTokens;
  const int part_tokens = (pages + parts - 1) / parts * kPageTokens;
  const int begin = min(part * part_tokens, lengths[sequence]);
  const int end = min(begin + part_tokens, lengths[sequence]);
  const Paged cache{
      k, v, table + std::int64_t{sequence} * pages_per_sequence, kv_heads, group % kv_heads, kDim};
  online::Team<kDim, kHeads, kThreads<kHeads>> team(q + at, heads);
  team.attend(cache, begin, end);
  const std::int64_t first = std::int64_t{group} * chunks * parts + chunk;
  const std::int64_t own = (first + part * chunks) * kHeads;
  team.merge([&](int h, int i, float value, float sum, float maximum) {
    results.values[(own + h) * kDim + i] = value;
    if (i == 0) results.sums[own + h] = float2{sum, maximum};
  });
  // A fence on both sides of the counter: see attention_split.cu.
  __shared__ bool is_last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned* const count = results.finished + group * chunks + chunk;
    is_last = atomicAdd(count, 1u) == static_cast<unsigned>(parts) - 1;
    if (is_last) *count = 0;
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  merge_parts<kDim, kHeads>(results, first, chunks, parts, heads, out, at);
}

/// Room for kMostBlocks blocks, kept between calls and never moved, because a recorded graph keeps
/// the addresses.
PartResults part_results() {
  constexpr std::size_t kHeadsOfAll = std::size_t{kMostBlocks} * kMostHeads;
  static gpu::DeviceBuffer<float> values(kHeadsOfAll * kMostDim);
  static gpu::DeviceBuffer<float2> sums(kHeadsOfAll);
  static gpu::DeviceBuffer<unsigned> finished = [] {
    gpu::DeviceBuffer<unsigned> zeros(kMostBlocks);
    gpu::fill_bytes(zeros, 0);
    return zeros;
  }();
  return {values.data(), sums.data(), finished.data()};
}

/// Number of blocks that share a context of at most `tokens` tokens, so that `chunks` of them fill
/// a GPU.
int parts_for(int chunks, int tokens) {
  if (!gpu::Features::kIsGpu) return 1;
  static const int multiprocessors = gpu::current_device().multiprocessors;
  const int wanted = std::min(2 * multiprocessors, kMostBlocks) / chunks;
  return std::clamp(wanted, 1, std::max(1, tokens / kLeastTokens));
}

/// Like attention_paged() below, with results in either format.
void attend_pages(int query_heads, int kv_heads, int head_dim,
                  gpu::DeviceSpan<const std::int32_t> lengths,
                  gpu::DeviceSpan<const std::int32_t> table, gpu::DeviceSpan<const __nv_bfloat16> q,
                  gpu::DeviceSpan<const __nv_bfloat16> k, gpu::DeviceSpan<const __nv_bfloat16> v,
                  const Results& out) {
  const int ratio = query_heads / kv_heads;
  const auto sequences = static_cast<int>(lengths.size());
  const int pages_per_sequence = static_cast<int>(table.size()) / sequences;
  online::with_constants(head_dim, ratio, [&](auto dim, auto heads) {
    const int chunks = (ratio + heads.value - 1) / heads.value;
    const int groups = sequences * kv_heads;
    const int parts = parts_for(chunks * groups, pages_per_sequence * kPageTokens);
    const gpu::LaunchConfig config{
        .grid = dim3(static_cast<unsigned>(chunks * parts), static_cast<unsigned>(groups)),
        .block = kThreads<heads.value>};
    if constexpr (gpu::Features::kIsGpu) {
      if (parts > 1) {
        return gpu::launch_overlapping<attention_parts_kernel<dim.value, heads.value>>(
            config, ratio, kv_heads, pages_per_sequence, chunks, parts, lengths.data(),
            table.data(), q.data(), k.data(), v.data(), part_results(), out);
      }
    }
    gpu::launch_overlapping<attention_paged_kernel<dim.value, heads.value>>(
        config, ratio, kv_heads, pages_per_sequence, lengths.data(), table.data(), q.data(),
        k.data(), v.data(), out);
  });
}

/// The same in FP16, as a product reads it. No exercise asks for it; it saves the engine a
/// conversion kernel.
void attention_paged_half(int query_heads, int kv_heads, int head_dim,
                          gpu::DeviceSpan<const std::int32_t> lengths,
                          gpu::DeviceSpan<const std::int32_t> table,
                          gpu::DeviceSpan<const __nv_bfloat16> q,
                          gpu::DeviceSpan<const __nv_bfloat16> k,
                          gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<__half> out) {
  attend_pages(query_heads, kv_heads, head_dim, lengths, table, q, k, v, {nullptr, out.data()});
}
//@stub
//| // Token t of sequence b is in page table[b * pages_per_sequence + t / kPageTokens], row
//| // t % kPageTokens of its key-value head. Entries beyond a length are not page numbers.
//@end

/// Like attention_decode, with the cache in pages and lengths[b] tokens in sequence b.
/// @param lengths tokens of each sequence; if 0, its result is 0
/// @param table [batch][pages_per_sequence] page numbers
/// @param k, v [pages][kv_heads][kPageTokens][head_dim]
void attention_paged(int query_heads, int kv_heads, int head_dim,
                     gpu::DeviceSpan<const std::int32_t> lengths,
                     gpu::DeviceSpan<const std::int32_t> table,
                     gpu::DeviceSpan<const __nv_bfloat16> q, gpu::DeviceSpan<const __nv_bfloat16> k,
                     gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<float> out) {
  //@solve 04.attention.paged: launch it for lengths.size() sequences.
  attend_pages(query_heads, kv_heads, head_dim, lengths, table, q, k, v, {out.data(), nullptr});
  //@stub
  //| harness::unsolved("04.attention.paged", "topics/04-llm-inference/README.md#paged");
  //@end
}

constexpr int kQueryHeads = 32;
constexpr int kKvHeads = 8;
constexpr int kHeadDim = 128;
constexpr int kBatch = 4;

constexpr std::int64_t pages_for(std::int64_t tokens) {
  return (tokens + kPageTokens - 1) / kPageTokens;
}

HARNESS_LAB(attention_paged,
            {.work = [](std::int64_t n) -> harness::Work {
               const double pairs = static_cast<double>(n) * kBatch * kHeadDim;
               return {4 * kQueryHeads * pairs,
                       4 * kKvHeads * pairs + 6.0 * kBatch * kQueryHeads * kHeadDim +
                           4.0 * static_cast<double>(kBatch * (pages_for(n) + 1))};
             },
             .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
               if (buffer == 0) return kBatch;
               if (buffer == 1) return kBatch * pages_for(n);
               const bool is_cache = buffer == 3 || buffer == 4;
               return is_cache ? kBatch * pages_for(n) * kPageTokens * kKvHeads * kHeadDim
                               : kBatch * kQueryHeads * kHeadDim;
             },
             .integer_scalar = [](std::int64_t, int scalar) -> std::int64_t {
               const std::int64_t values[] = {kQueryHeads, kKvHeads, kHeadDim};
               return values[scalar];
             },
             // Lengths, then a table that uses the pages from last to first.
             .integer_element =
                 [](std::int64_t n, int buffer, std::int64_t index) {
                   return buffer == 0 ? n : kBatch * pages_for(n) - 1 - index;
                 },
             .default_n = 8192});
