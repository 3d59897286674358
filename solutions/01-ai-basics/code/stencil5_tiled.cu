// SPDX-License-Identifier: MIT
// The five-point stencil through a tile in shared memory: each block loads its points about once.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

//@solve 01.stencil5_tiled.kernel: load a tile with its halo, wait for it, and compute from it.
constexpr int kTileColumns = 32;
constexpr int kTileRows = 16;

template <class T>
__global__ void stencil5_tiled_kernel(std::int64_t columns, std::int64_t rows,
                                      const T* __restrict__ in, T* __restrict__ out) {
  // One extra point on every side: the neighbours of the outermost points.
  __shared__ T tile[kTileRows + 2][kTileColumns + 2];
  const int x = static_cast<int>(threadIdx.x) + 1;
  const int y = static_cast<int>(threadIdx.y) + 1;
  const std::int64_t column = std::int64_t{blockIdx.x} * kTileColumns + threadIdx.x;
  const std::int64_t row = std::int64_t{blockIdx.y} * kTileRows + threadIdx.y;
  const std::int64_t here = row * columns + column;
  const bool is_point = column < columns && row < rows;
  if (is_point) {
    tile[y][x] = in[here];
    if (x == 1 && column > 0) tile[y][0] = in[here - 1];
    if (x == kTileColumns && column + 1 < columns) tile[y][x + 1] = in[here + 1];
    if (y == 1 && row > 0) tile[0][x] = in[here - columns];
    if (y == kTileRows && row + 1 < rows) tile[y + 1][x] = in[here + columns];
  }
  __syncthreads();  // other threads loaded the neighbours
  if (!is_point) return;
  if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1) {
    out[here] = tile[y][x];
  } else {
    out[here] = tile[y][x] + tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
  }
}
//@stub
//| template <class T>
//| __global__ void stencil5_tiled_kernel(std::int64_t columns, std::int64_t rows,
//|                                       const T* __restrict__ in, T* __restrict__ out) {
//|   // __shared__ T tile[...][...]; all threads of a block must reach __syncthreads().
//| }
//@end

/// The same sweep as stencil5(), with fewer loads from device memory.
/// @param in rows*columns values, row after row, not changed
/// @param out rows*columns values that do not overlap in
template <class T>
void stencil5_tiled(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const T> in,
                    gpu::DeviceSpan<T> out) {
  //@solve 01.stencil5_tiled.kernel: launch one block for every tile.
  const dim3 block(kTileColumns, kTileRows);
  const dim3 grid(gpu::blocks_for(columns, kTileColumns), gpu::blocks_for(rows, kTileRows));
  gpu::launch<stencil5_tiled_kernel<T>>(grid, block, columns, rows, in.data(), out.data());
  //@stub
  //| harness::unsolved("01.stencil5_tiled.kernel",
  //|                   "topics/01-ai-basics/README.md#stencil5_tiled");
  //@end
}

// n is the number of rows; a row has half as many points again.
HARNESS_COUNTED_LAB(stencil5_tiled, float,
                    {.work = harness::five_point_work,
                     .buffer_size = harness::grid_elements,
                     .integer_scalar = harness::grid_side,
                     .default_n = 6144,
                     .beyond_caches = true});
