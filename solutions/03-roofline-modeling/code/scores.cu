// SPDX-License-Identifier: MIT
// Attention scores: every query times every key. Both are stored row by row, so a warp reads its
// tile of keys down a column.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers in a query and in a key.
constexpr int kDim = 64;

//@solve 03.scores.kernel: write the kernel: a tile of queries, a tile of keys, both in shared memory.
constexpr int kTile = 32;
constexpr int kThreadRows = 8;  // a thread computes kTile / kThreadRows scores

/// Position of column k of row r: the rows of a column are spread over all banks, without padding.
__device__ inline int place(int r, int k) {
  return r * kTile + (k ^ r);
}

__global__ void scores_kernel(std::int64_t n, const float* __restrict__ queries,
                              const float* __restrict__ keys, float* __restrict__ scores) {
  __shared__ float query_tile[kTile * kTile];
  __shared__ float key_tile[kTile * kTile];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const std::int64_t first_query = std::int64_t{blockIdx.y} * kTile;
  const std::int64_t first_key = std::int64_t{blockIdx.x} * kTile;
  float sums[kTile / kThreadRows] = {};
  for (int begin = 0; begin < kDim; begin += kTile) {
    for (int i = y; i < kTile; i += kThreadRows) {
      const bool has_query = first_query + i < n;
      const bool has_key = first_key + i < n;
      query_tile[i * kTile + x] = has_query ? queries[(first_query + i) * kDim + begin + x] : 0.0F;
      key_tile[place(i, x)] = has_key ? keys[(first_key + i) * kDim + begin + x] : 0.0F;
    }
    __syncthreads();  // tiles are whole
    for (int k = 0; k < kTile; ++k) {
      const float key = key_tile[place(x, k)];
      for (int i = 0; i < kTile / kThreadRows; ++i) {
        sums[i] += query_tile[(y + i * kThreadRows) * kTile + k] * key;
      }
    }
    __syncthreads();  // tiles are overwritten next
  }
  for (int i = 0; i < kTile / kThreadRows; ++i) {
    const std::int64_t query = first_query + y + i * kThreadRows;
    if (query < n && first_key + x < n) scores[query * n + first_key + x] = sums[i];
  }
}
//@stub
//| __global__ void scores_kernel(std::int64_t n, const float* __restrict__ queries,
//|                               const float* __restrict__ keys, float* __restrict__ scores) {
//|   // Lane x computes the score of key x: in which banks do the lanes of a warp read?
//| }
//@end

/// scores[i][j] = the sum over k of queries[i][k] keys[j][k].
/// @param n number of queries, and of keys
/// @param queries n x kDim, by rows, not changed
/// @param keys n x kDim, by rows, not changed
/// @param scores n x n, by rows; its initial contents are ignored
void scores(std::int64_t n, gpu::DeviceSpan<const float> queries, gpu::DeviceSpan<const float> keys,
            gpu::DeviceSpan<float> scores) {
  //@solve 03.scores.kernel: launch it with a block for every tile of scores.
  if (n == 0) return;
  const unsigned tiles = gpu::blocks_for(n, kTile);
  gpu::launch<scores_kernel>(dim3(tiles, tiles), dim3(kTile, kThreadRows), n, queries.data(),
                             keys.data(), scores.data());
  //@stub
  //| harness::unsolved("03.scores.kernel", "topics/03-roofline-modeling/README.md#scores");
  //@end
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
