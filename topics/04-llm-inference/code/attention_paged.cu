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

// TODO(04.attention.paged): write the kernel: look up the page, then continue as before.
// Token t of sequence b is in page table[b * pages_per_sequence + t / kPageTokens], row
// t % kPageTokens of its key-value head. Entries beyond a length are not page numbers.
// END TODO(04.attention.paged)

/// Like attention_decode, with the cache in pages and lengths[b] tokens in sequence b.
/// @param lengths tokens of each sequence; if 0, its result is 0
/// @param table [batch][pages_per_sequence] page numbers
/// @param k, v [pages][kv_heads][kPageTokens][head_dim]
void attention_paged(int query_heads, int kv_heads, int head_dim,
                     gpu::DeviceSpan<const std::int32_t> lengths,
                     gpu::DeviceSpan<const std::int32_t> table,
                     gpu::DeviceSpan<const __nv_bfloat16> q, gpu::DeviceSpan<const __nv_bfloat16> k,
                     gpu::DeviceSpan<const __nv_bfloat16> v, gpu::DeviceSpan<float> out) {
  // TODO(04.attention.paged): launch it for lengths.size() sequences.
  harness::unsolved("04.attention.paged", "topics/04-llm-inference/README.md#paged");
  // END TODO(04.attention.paged)
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
