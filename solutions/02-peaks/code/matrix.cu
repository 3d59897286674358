// SPDX-License-Identifier: MIT
// A loop of matrix instructions: 16 x 16 x 16 products in FP16 with FP32 sums, a warp at a time.
#include <cstdint>
#include <span>

#include "gpu/gpu.hpp"
#include "gpu/matrix.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

constexpr int kSide = 16;
constexpr int kElements = kSide * kSide;

//@solve 02.matrix.kernel: write the kernel with nvcuda::wmma. A whole warp works on a tile.
constexpr int kThreads = 128;
constexpr int kTiles = 4;  // independent products that a warp has in flight
constexpr int kTilesPerBlock = 4 * kTiles;

/// Up to kTiles tiles, starting at `first`, by one warp.
__device__ inline void multiply_tiles(std::int64_t first, std::int64_t tiles,
                                      std::int64_t iterations, const __half* a, const __half* b,
                                      float* c) {
  namespace wmma = nvcuda::wmma;
  wmma::fragment<wmma::matrix_a, kSide, kSide, kSide, __half, wmma::row_major> left[kTiles];
  wmma::fragment<wmma::matrix_b, kSide, kSide, kSide, __half, wmma::row_major> right[kTiles];
  wmma::fragment<wmma::accumulator, kSide, kSide, kSide, float> sum[kTiles];
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
    wmma::fill_fragment(sum[t], 0.0f);
    // Past the end, use the last tile again: what does not exist must not be read.
    const std::int64_t tile = first + t < tiles ? first + t : tiles - 1;
    wmma::load_matrix_sync(left[t], a + tile * kElements, kSide);
    wmma::load_matrix_sync(right[t], b + tile * kElements, kSide);
  }
#pragma unroll 4
  for (std::int64_t k = 0; k < iterations; ++k) {
#pragma unroll
    for (int t = 0; t < kTiles; ++t) wmma::mma_sync(sum[t], left[t], right[t], sum[t]);
  }
#pragma unroll
  for (int t = 0; t < kTiles; ++t) {
    if (first + t >= tiles) break;
    wmma::store_matrix_sync(c + (first + t) * kElements, sum[t], kSide, wmma::mem_row_major);
  }
}

__global__ void matrix_kernel(std::int64_t tiles, std::int64_t iterations,
                              const __half* __restrict__ a, const __half* __restrict__ b,
                              float* __restrict__ c) {
  // A block has four warps of 32 lanes or two of 64, so the number of warps must come from
  // warpSize.
  const int warps = static_cast<int>(blockDim.x) / warpSize;
  const int warp = static_cast<int>(threadIdx.x) / warpSize;
  const std::int64_t begin = std::int64_t{blockIdx.x} * kTilesPerBlock;
  for (int offset = warp * kTiles; offset < kTilesPerBlock; offset += warps * kTiles) {
    if (begin + offset < tiles) multiply_tiles(begin + offset, tiles, iterations, a, b, c);
  }
}
//@stub
//| __global__ void matrix_kernel(std::int64_t tiles, std::int64_t iterations,
//|                               const __half* __restrict__ a, const __half* __restrict__ b,
//|                               float* __restrict__ c) {
//|   // wmma::fragment, fill_fragment, load_matrix_sync, mma_sync, store_matrix_sync.
//| }
//@end

/// Tile t of c becomes the sum of `iterations` products of tile t of a and of b. Tiles are 16 x 16,
/// row by row, one after the other.
void matrix(std::int64_t iterations, gpu::DeviceSpan<const __half> a,
            gpu::DeviceSpan<const __half> b, gpu::DeviceSpan<float> c) {
  //@solve 02.matrix.kernel: launch enough warps.
  const auto tiles = static_cast<std::int64_t>(c.size()) / kElements;
  gpu::launch<matrix_kernel>(gpu::blocks_for(tiles, kTilesPerBlock), kThreads, tiles, iterations,
                             a.data(), b.data(), c.data());
  //@stub
  //| harness::unsolved("02.matrix.kernel", "topics/02-peaks/README.md#matrix");
  //@end
}

harness::Work matrix_work(std::int64_t n, std::span<const std::int64_t> integers) {
  const auto tiles = static_cast<double>(n);
  return {2.0 * kElements * kSide * tiles * static_cast<double>(integers[0]),
          (2 + 2 + 4) * kElements * tiles};
}

HARNESS_LAB(matrix, {.buffer_size = [](std::int64_t n, int) { return n * kElements; },
                     .integer_scalar = [](std::int64_t, int) -> std::int64_t {
                       return gpu::Features::kIsGpu ? 4096 : 1;
                     },
                     .default_n = gpu::Features::kIsGpu ? 1 << 16 : 256,
                     .integer_names = {"iterations"},
                     .work_with = matrix_work});
