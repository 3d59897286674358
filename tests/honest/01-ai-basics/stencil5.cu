// SPDX-License-Identifier: MIT
// A thread walks down a column and keeps the numbers above and below: three loads per point.
// Earns: 01.stencil5.counted | the usual kernel needs more
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void walk(std::int64_t rows, std::int64_t columns, const T* in, T* out) {
  const std::int64_t column = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  if (column == 0 || column + 1 == columns || rows < 3) {
    for (std::int64_t row = 0; row < rows; ++row)
      out[row * columns + column] = in[row * columns + column];
    return;
  }
  T above = in[column];
  T here = in[columns + column];
  out[column] = above;
  for (std::int64_t row = 1; row + 1 < rows; ++row) {
    const std::int64_t at = row * columns + column;
    const T below = in[at + columns];
    out[at] = here + above + below + in[at - 1] + in[at + 1];
    above = here;
    here = below;
  }
  out[(rows - 1) * columns + column] = here;
}

template <class T>
void stencil5(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const T> in,
              gpu::DeviceSpan<T> out) {
  if (in.empty()) return;
  gpu::launch<walk<T>>(gpu::blocks_for(columns, 32), 32, rows, columns, in.data(), out.data());
}

HARNESS_COUNTED_LAB(stencil5, float, {})
