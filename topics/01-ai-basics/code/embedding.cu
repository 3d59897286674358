// SPDX-License-Identifier: MIT
// Gathers rows of an embedding table: the rows are at random places, but each row is contiguous.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers in a row.
constexpr int kWidth = 64;

// TODO(01.embedding.kernel): write the kernel: row t of out is row tokens[t] of the table.
__global__ void embedding_kernel(std::int64_t n, const std::int32_t* __restrict__ tokens,
                                 const float* __restrict__ table, float* __restrict__ out) {
  // Which numbers do the lanes of a warp copy at a time?
}
// END TODO(01.embedding.kernel)

/// out[t][c] = table[tokens[t]][c] for every token t and c < kWidth.
/// @param tokens n row numbers, in any order and with repetitions; not changed
/// @param table rows of kWidth numbers, not changed
/// @param out n rows of kWidth numbers; its initial contents are ignored
void embedding(gpu::DeviceSpan<const std::int32_t> tokens, gpu::DeviceSpan<const float> table,
               gpu::DeviceSpan<float> out) {
  // TODO(01.embedding.kernel): launch it for all tokens.
  harness::unsolved("01.embedding.kernel", "topics/01-ai-basics/README.md#embedding");
  // END TODO(01.embedding.kernel)
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
