// SPDX-License-Identifier: MIT
// Attention scores: every query times every key. Both are stored row by row, so a warp reads its
// tile of keys down a column.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers in a query and in a key.
constexpr int kDim = 64;

// TODO(03.scores.kernel): write the kernel: a tile of queries, a tile of keys, both in shared memory.
__global__ void scores_kernel(std::int64_t n, const float* __restrict__ queries,
                              const float* __restrict__ keys, float* __restrict__ scores) {
  // Lane x computes the score of key x: in which banks do the lanes of a warp read?
}
// END TODO(03.scores.kernel)

/// scores[i][j] = the sum over k of queries[i][k] keys[j][k].
/// @param n number of queries, and of keys
/// @param queries n x kDim, by rows, not changed
/// @param keys n x kDim, by rows, not changed
/// @param scores n x n, by rows; its initial contents are ignored
void scores(std::int64_t n, gpu::DeviceSpan<const float> queries, gpu::DeviceSpan<const float> keys,
            gpu::DeviceSpan<float> scores) {
  // TODO(03.scores.kernel): launch it with a block for every tile of scores.
  harness::unsolved("03.scores.kernel", "topics/03-roofline-modeling/README.md#scores");
  // END TODO(03.scores.kernel)
}

HARNESS_LAB(scores,
            {.work =
                 [](std::int64_t n) {
                   const auto count = static_cast<double>(n);
                   return harness::Work{2 * kDim * count * count, 4 * count * (2 * kDim + count)};
                 },
             .buffer_size = [](std::int64_t n,
                               int buffer) { return buffer == 2 ? n * n : kDim * n; },
             .default_n = 4096});
