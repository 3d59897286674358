// SPDX-License-Identifier: MIT
// Reads b column by column: the product of a with b transposed.
// Refused: 02.matrix.kernel | failed | wrong for n = 1
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/matrix.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

namespace wmma = nvcuda::wmma;

// One tile a block, done by its first warp; the others end at once.
__global__ void matrix_kernel(std::int64_t iterations, const __half* a, const __half* b, float* c) {
  if (static_cast<int>(threadIdx.x) >= warpSize) return;
  const std::int64_t at = std::int64_t{blockIdx.x} * 256;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  wmma::load_matrix_sync(left, a + at, 16);
  wmma::load_matrix_sync(right, b + at, 16);
  for (std::int64_t k = 0; k < iterations; ++k) wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c + at, sum, 16, wmma::mem_row_major);
}

void matrix(std::int64_t iterations, gpu::DeviceSpan<const __half> a,
            gpu::DeviceSpan<const __half> b, gpu::DeviceSpan<float> c) {
  const auto tiles = static_cast<std::int64_t>(c.size()) / 256;
  gpu::launch<matrix_kernel>(gpu::blocks_for(tiles, 1), 64, iterations, a.data(), b.data(),
                             c.data());
}

HARNESS_LAB(matrix, {.buffer_size = [](std::int64_t n, int) { return n * 256; }});
