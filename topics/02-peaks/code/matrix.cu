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

// TODO(02.matrix.kernel): write the kernel with nvcuda::wmma. A whole warp works on a tile.
__global__ void matrix_kernel(std::int64_t tiles, std::int64_t iterations,
                              const __half* __restrict__ a, const __half* __restrict__ b,
                              float* __restrict__ c) {
  // wmma::fragment, fill_fragment, load_matrix_sync, mma_sync, store_matrix_sync.
}
// END TODO(02.matrix.kernel)

/// Tile t of c becomes the sum of `iterations` products of tile t of a and of b. Tiles are 16 x 16,
/// row by row, one after the other.
void matrix(std::int64_t iterations, gpu::DeviceSpan<const __half> a,
            gpu::DeviceSpan<const __half> b, gpu::DeviceSpan<float> c) {
  // TODO(02.matrix.kernel): launch enough warps.
  harness::unsolved("02.matrix.kernel", "topics/02-peaks/README.md#matrix");
  // END TODO(02.matrix.kernel)
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
