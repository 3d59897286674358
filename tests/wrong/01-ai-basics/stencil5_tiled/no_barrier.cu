// SPDX-License-Identifier: MIT
// Reads the tile before the other threads have loaded it.
// Refused: 01.stencil5_tiled.kernel | failed | with no barrier between
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kTileColumns = 32;
constexpr int kTileRows = 16;

template <class T>
__global__ void stencil5_tiled_kernel(std::int64_t columns, std::int64_t rows,
                                      const T* __restrict__ in, T* __restrict__ out) {
  // One point more on every side: the neighbours of the outermost points.
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
  if (!is_point) return;
  if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1) {
    out[here] = tile[y][x];
  } else {
    out[here] = tile[y][x] + tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
  }
}

/// The same sweep as stencil5(), with fewer loads from device memory.
/// @param in rows*columns values, row after row, not changed
/// @param out rows*columns values that do not overlap in
template <class T>
void stencil5_tiled(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const T> in,
                    gpu::DeviceSpan<T> out) {
  const dim3 block(kTileColumns, kTileRows);
  const dim3 grid(gpu::blocks_for(columns, kTileColumns), gpu::blocks_for(rows, kTileRows));
  gpu::launch<stencil5_tiled_kernel<T>>(grid, block, columns, rows, in.data(), out.data());
}

// n is the number of rows; a row has half as many points again.
HARNESS_COUNTED_LAB(stencil5_tiled, float,
                    {.work =
                         [](std::int64_t n) {
                           const auto rows = static_cast<double>(n);
                           const auto columns = static_cast<double>(n + n / 2);
                           return harness::Work{4 * (rows - 2) * (columns - 2), 8 * rows * columns};
                         },
                     .buffer_size = [](std::int64_t n, int) { return n * (n + n / 2); },
                     .integer_scalar = [](std::int64_t n,
                                          int scalar) { return scalar == 0 ? n : n + n / 2; },
                     .default_n = 6144});
