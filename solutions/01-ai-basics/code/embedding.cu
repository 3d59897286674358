// SPDX-License-Identifier: MIT
// Gathers rows of an embedding table: the rows are at random places, but each row is contiguous.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers in a row.
constexpr int kWidth = 64;

//@solve 01.embedding.kernel: write the kernel: row t of out is row tokens[t] of the table.
constexpr int kThreads = 256;
constexpr int kQuad = 4;
constexpr int kQuads = kWidth / kQuad;  // per row

/// @param n tokens
__global__ void embedding_kernel(std::int64_t n, const std::int32_t* __restrict__ tokens,
                                 const float* __restrict__ table, float* __restrict__ out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n * kQuads) return;
  // Adjacent lanes take adjacent numbers of a row: that makes whole sectors, wherever the row is.
  const std::int64_t row = tokens[i / kQuads];
  reinterpret_cast<float4*>(out)[i] =
      reinterpret_cast<const float4*>(table)[row * kQuads + i % kQuads];
}
//@stub
//| __global__ void embedding_kernel(std::int64_t n, const std::int32_t* __restrict__ tokens,
//|                                  const float* __restrict__ table, float* __restrict__ out) {
//|   // Which numbers do the lanes of a warp copy at a time?
//| }
//@end

/// out[t][c] = table[tokens[t]][c] for every token t and c < kWidth.
/// @param tokens n row numbers, in any order and with repetitions; not changed
/// @param table rows of kWidth numbers, not changed
/// @param out n rows of kWidth numbers; its initial contents are ignored
void embedding(gpu::DeviceSpan<const std::int32_t> tokens, gpu::DeviceSpan<const float> table,
               gpu::DeviceSpan<float> out) {
  //@solve 01.embedding.kernel: launch it for all tokens.
  const auto n = static_cast<std::int64_t>(tokens.size());
  if (n == 0) return;
  gpu::launch<embedding_kernel>(gpu::blocks_for(n * kQuads, kThreads), kThreads, n, tokens.data(),
                                table.data(), out.data());
  //@stub
  //| harness::unsolved("01.embedding.kernel", "topics/01-ai-basics/README.md#embedding");
  //@end
}

HARNESS_LAB(embedding,
            {.bytes_per_element = 4 + 8 * kWidth,
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : kWidth * n; },
             // Every row once, far from its neighbours: 7919 is prime.
             .integer_element =
                 [](std::int64_t n, int, std::int64_t index) {
                   return n % 7919 == 0 ? index : index * 7919 % n;
                 },
             .default_n = 1 << 20});
