// SPDX-License-Identifier: MIT
// A thread walks through the planes and keeps the numbers before and behind: five loads.
// Earns: 01.stencil7.counted | the usual kernel needs more
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void walk(std::int64_t planes, std::int64_t rows, std::int64_t columns, const T* in,
                     T* out) {
  const std::int64_t column = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t row = blockIdx.y;
  if (column >= columns) return;
  const std::int64_t plane = rows * columns;
  std::int64_t at = row * columns + column;
  const bool is_edge = row == 0 || column == 0 || row + 1 == rows || column + 1 == columns;
  T before = T(0);
  T here = in[at];
  for (std::int64_t p = 0; p < planes; ++p, at += plane) {
    const bool is_last = p + 1 == planes;
    const T behind = is_last ? T(0) : in[at + plane];
    out[at] = is_edge || p == 0 || is_last ? here
                                           : here + before + behind + in[at - columns] +
                                                 in[at + columns] + in[at - 1] + in[at + 1];
    before = here;
    here = behind;
  }
}

template <class T>
void stencil7(std::int64_t planes, std::int64_t rows, std::int64_t columns,
              gpu::DeviceSpan<const T> in, gpu::DeviceSpan<T> out) {
  if (in.empty()) return;
  const dim3 grid(gpu::blocks_for(columns, 32), static_cast<unsigned>(rows));
  gpu::launch<walk<T>>(grid, 32, planes, rows, columns, in.data(), out.data());
}

HARNESS_COUNTED_LAB(stencil7, float, {})
