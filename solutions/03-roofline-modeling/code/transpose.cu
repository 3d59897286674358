// SPDX-License-Identifier: MIT
// A transposition: every byte moves once, and everything depends on which lane moves which.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

//@solve 03.transpose.kernel: read rows, write rows, and transpose the tile in between.
constexpr int kTile = 32;
constexpr int kThreadRows = 8;  // a thread moves kTile / kThreadRows numbers each way

__global__ void transpose_kernel(std::int64_t rows, std::int64_t columns,
                                 const float* __restrict__ in, float* __restrict__ out) {
  // One extra number per row: those of a column are then in different banks.
  __shared__ float tile[kTile][kTile + 1];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const std::int64_t first_column = std::int64_t{blockIdx.x} * kTile;
  const std::int64_t first_row = std::int64_t{blockIdx.y} * kTile;
  for (int i = y; i < kTile; i += kThreadRows) {
    const std::int64_t row = first_row + i;
    if (row < rows && first_column + x < columns) {
      tile[i][x] = in[row * columns + first_column + x];
    }
  }
  __syncthreads();  // a thread writes what another one has read
  for (int i = y; i < kTile; i += kThreadRows) {
    const std::int64_t column = first_column + i;
    if (column < columns && first_row + x < rows) {
      out[column * rows + first_row + x] = tile[x][i];
    }
  }
}
//@stub
//| __global__ void transpose_kernel(std::int64_t rows, std::int64_t columns,
//|                                  const float* __restrict__ in, float* __restrict__ out) {
//|   // Adjacent lanes should read adjacent numbers, and write adjacent numbers.
//| }
//@end

/// out[column][row] = in[row][column].
/// @param in rows x columns, by rows, not changed
/// @param out columns x rows, by rows; its initial contents are ignored
void transpose(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const float> in,
               gpu::DeviceSpan<float> out) {
  //@solve 03.transpose.kernel: launch it with a block for every tile.
  if (rows == 0 || columns == 0) return;
  const dim3 grid(gpu::blocks_for(columns, kTile), gpu::blocks_for(rows, kTile));
  gpu::launch<transpose_kernel>(grid, dim3(kTile, kThreadRows), rows, columns, in.data(),
                                out.data());
  //@stub
  //| harness::unsolved("03.transpose.kernel", "topics/03-roofline-modeling/README.md#transpose");
  //@end
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
