// SPDX-License-Identifier: MIT
// Larger tiles than usual: 32 x 32 points.
// Earns: 01.stencil5_tiled.counted | bytes_loaded 7124
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kSide = 32;

template <class T>
__global__ void tiles(std::int64_t rows, std::int64_t columns, const T* in, T* out) {
  __shared__ T tile[kSide + 2][kSide + 2];
  const std::int64_t column = std::int64_t{blockIdx.x} * kSide + threadIdx.x;
  const std::int64_t row = std::int64_t{blockIdx.y} * kSide + threadIdx.y;
  const int x = threadIdx.x + 1;
  const int y = threadIdx.y + 1;
  const bool is_inside = row < rows && column < columns;
  const std::int64_t at = row * columns + column;
  T here = T(0);
  if (is_inside) {
    here = in[at];
    tile[y][x] = here;
    if (x == 1 && column > 0) tile[y][0] = in[at - 1];
    if (x == kSide && column + 1 < columns) tile[y][kSide + 1] = in[at + 1];
    if (y == 1 && row > 0) tile[0][x] = in[at - columns];
    if (y == kSide && row + 1 < rows) tile[kSide + 1][x] = in[at + columns];
  }
  __syncthreads();
  if (!is_inside) return;
  const bool is_border = row == 0 || column == 0 || row + 1 == rows || column + 1 == columns;
  out[at] =
      is_border ? here : here + tile[y - 1][x] + tile[y + 1][x] + tile[y][x - 1] + tile[y][x + 1];
}

template <class T>
void stencil5_tiled(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const T> in,
                    gpu::DeviceSpan<T> out) {
  if (in.empty()) return;
  const dim3 grid(gpu::blocks_for(columns, kSide), gpu::blocks_for(rows, kSide));
  gpu::launch<tiles<T>>(grid, dim3(kSide, kSide), rows, columns, in.data(), out.data());
}

HARNESS_COUNTED_LAB(stencil5_tiled, float, {})
