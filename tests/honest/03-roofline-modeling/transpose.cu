// SPDX-License-Identifier: MIT
// Blocks of 1024 threads; columns swapped row by row in place of padding.
// Earns: 03.transpose.banks | within the limits
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void transpose_kernel(std::int64_t rows, std::int64_t columns,
                                 const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const std::int64_t c = std::int64_t{blockIdx.x} * 32 + x, r = std::int64_t{blockIdx.y} * 32 + y;
  if (r < rows && c < columns) tile[y][x ^ y] = in[r * columns + c];
  __syncthreads();
  const std::int64_t oc = std::int64_t{blockIdx.y} * 32 + x,
                     orr = std::int64_t{blockIdx.x} * 32 + y;
  if (oc < rows && orr < columns) out[orr * rows + oc] = tile[x][y ^ x];
}

/// out[column][row] = in[row][column].
/// @param in rows x columns, by rows, not changed
/// @param out columns x rows, by rows; its initial contents are ignored
void transpose(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const float> in,
               gpu::DeviceSpan<float> out) {
  if (rows == 0 || columns == 0) return;
  gpu::launch<transpose_kernel>(dim3(gpu::blocks_for(columns, 32), gpu::blocks_for(rows, 32)),
                                dim3(32, 32), rows, columns, in.data(), out.data());
}

// The matrix is n x 2n.
HARNESS_LAB(transpose,
            {.work =
                 [](std::int64_t n) {
                   const auto side = static_cast<double>(n);
                   return harness::Work{0, 16 * side * side};
                 },
             .buffer_size = [](std::int64_t n, int) { return 2 * n * n; },
             .integer_scalar = [](std::int64_t n, int scalar) { return (scalar + 1) * n; },
             .default_n = 4096});
