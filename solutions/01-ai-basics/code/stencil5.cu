// SPDX-License-Identifier: MIT
// The five-point stencil straight from its definition: five loads, four additions, one store.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

//@solve 01.stencil5.kernel: write the kernel: the sum of five inside, a copy on the border.
constexpr unsigned kThreadsAcross = 32;
constexpr unsigned kThreadsDown = 8;

template <class T>
__global__ void stencil5_kernel(std::int64_t columns, std::int64_t rows, const T* __restrict__ in,
                                T* __restrict__ out) {
  const std::int64_t column = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows) return;
  const std::int64_t here = row * columns + column;
  if (row == 0 || row == rows - 1 || column == 0 || column == columns - 1) {
    out[here] = in[here];
  } else {
    out[here] = in[here] + in[here - columns] + in[here + columns] + in[here - 1] + in[here + 1];
  }
}
//@stub
//| template <class T>
//| __global__ void stencil5_kernel(std::int64_t columns, std::int64_t rows,
//|                                 const T* __restrict__ in, T* __restrict__ out) {
//|   // blockIdx.x counts along a row, blockIdx.y down the rows.
//| }
//@end

/// One sweep over a grid of rows x columns, stored row after row: inside, out is the sum of the
/// point, its left and right neighbour and those above and below; on the border out = in.
/// @param in rows*columns values, not changed
/// @param out rows*columns values that do not overlap in
template <class T>
void stencil5(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const T> in,
              gpu::DeviceSpan<T> out) {
  //@solve 01.stencil5.kernel: launch it with a thread for every point of the grid.
  const dim3 block(kThreadsAcross, kThreadsDown);
  const dim3 grid(gpu::blocks_for(columns, kThreadsAcross), gpu::blocks_for(rows, kThreadsDown));
  gpu::launch<stencil5_kernel<T>>(grid, block, columns, rows, in.data(), out.data());
  //@stub
  //| harness::unsolved("01.stencil5.kernel", "topics/01-ai-basics/README.md#stencil5");
  //@end
}

// n is the number of rows; a row has half as many points again.
HARNESS_COUNTED_LAB(stencil5, float,
                    {.work = harness::five_point_work,
                     .buffer_size = harness::grid_elements,
                     .integer_scalar = harness::grid_side,
                     .default_n = 6144,
                     .beyond_caches = true});
