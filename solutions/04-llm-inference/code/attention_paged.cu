// SPDX-License-Identifier: MIT
// Decode attention over a key-value cache in pages, with sequences of different lengths.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"
#include "online_attention.hpp"

/// Tokens in a page.
constexpr int kPageTokens = 16;

//@solve 04.attention.paged: write the kernel: look the page up, then go on as before.
template <int kHeads>
inline constexpr int kThreads = online::block_threads(kHeads, 256);
template <int kHeads>
inline constexpr int kResidentBlocks = online::resident_threads(kHeads) / kThreads<kHeads>;

/// A cache in pages: where `token` of one sequence lies for one key-value head.
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
    int ratio, int kv_heads, int pages_per_sequence, const std::int32_t* __restrict__ lengths,
    const std::int32_t* __restrict__ table, const __nv_bfloat16* __restrict__ q,
    const __nv_bfloat16* __restrict__ k, const __nv_bfloat16* __restrict__ v,
    float* __restrict__ out) {
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
    if (h < heads) out[at + h * kDim + i] = sum == 0 ? 0 : value / sum;
  });
}
//@stub
//| // Token t of sequence b lies in page table[b * pages_per_sequence + t / kPageTokens], row
//| // t % kPageTokens of its key-value head. Entries beyond a length are not page numbers.
//@end

/// As attention_decode, with the cache in pages and lengths[b] tokens in sequence b.
/// @param lengths tokens of each sequence; with none its result is 0
/// @param table [batch][pages_per_sequence] numbers of pages
/// @param k, v [pages][kv_heads][kPageTokens][head_dim]
void attention_paged(int query_heads, int kv_heads, int head_dim,
                     gpu::DeviceSpan<const std::int32_t> lengths,
                     gpu::DeviceSpan<const std::int32_t> table,
                     gpu::DeviceSpan<const __nv_bfloat16> q, gpu::DeviceSpan<const __nv_bfloat16> k,
                     gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<float> out) {
  //@solve 04.attention.paged: launch it for lengths.size() sequences.
  const int ratio = query_heads / kv_heads;
  const auto sequences = static_cast<int>(lengths.size());
  const int pages_per_sequence = static_cast<int>(table.size()) / sequences;
  online::with_constants(head_dim, ratio, [&](auto dim, auto heads) {
    const dim3 grid(gpu::blocks_for(ratio, heads.value),
                    static_cast<unsigned>(sequences * kv_heads));
    gpu::launch<attention_paged_kernel<dim.value, heads.value>>(
        grid, kThreads<heads.value>, ratio, kv_heads, pages_per_sequence, lengths.data(),
        table.data(), q.data(), k.data(), v.data(), out.data());
  });
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
             // Lengths, then a table that takes the pages from the last to the first.
             .integer_element =
                 [](std::int64_t n, int buffer, std::int64_t index) {
                   return buffer == 0 ? n : kBatch * pages_for(n) - 1 - index;
                 },
             .default_n = 8192});
