// SPDX-License-Identifier: MIT
// The seven-point stencil in three dimensions: a point and its six neighbours.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

//@solve 01.stencil7.kernel: write the kernel: the sum of seven inside, a copy on the surface.
constexpr unsigned kThreadsAcross = 32;
constexpr unsigned kThreadsDown = 4;
constexpr unsigned kThreadsDeep = 2;

__device__ inline bool is_end(std::int64_t index, std::int64_t extent) {
  return index == 0 || index == extent - 1;
}

template <class T>
__global__ void stencil7_kernel(std::int64_t columns, std::int64_t rows, std::int64_t planes,
                                const T* __restrict__ in, T* __restrict__ out) {
  const std::int64_t column = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t plane = std::int64_t{blockIdx.z} * blockDim.z + threadIdx.z;
  if (column >= columns || row >= rows || plane >= planes) return;
  const std::int64_t plane_size = rows * columns;
  const std::int64_t here = plane * plane_size + row * columns + column;
  if (is_end(column, columns) || is_end(row, rows) || is_end(plane, planes)) {
    out[here] = in[here];
  } else {
    out[here] = in[here] + in[here - 1] + in[here + 1] + in[here - columns] + in[here + columns] +
                in[here - plane_size] + in[here + plane_size];
  }
}
//@stub
//| template <class T>
//| __global__ void stencil7_kernel(std::int64_t columns, std::int64_t rows, std::int64_t planes,
//|                                 const T* __restrict__ in, T* __restrict__ out) {
//|   // The neighbours of a point are 1, columns and rows * columns elements away.
//| }
//@end

/// One sweep over a box of planes x rows x columns, stored plane after plane and row after row:
/// inside, out is the sum of the point and its six nearest neighbours; on the six faces out = in.
/// @param in planes*rows*columns values, not changed
/// @param out as many values that do not overlap in
template <class T>
void stencil7(std::int64_t planes, std::int64_t rows, std::int64_t columns,
              gpu::DeviceSpan<const T> in, gpu::DeviceSpan<T> out) {
  //@solve 01.stencil7.kernel: launch it with a thread for every point of the box.
  const dim3 block(kThreadsAcross, kThreadsDown, kThreadsDeep);
  const dim3 grid(gpu::blocks_for(columns, kThreadsAcross), gpu::blocks_for(rows, kThreadsDown),
                  gpu::blocks_for(planes, kThreadsDeep));
  gpu::launch<stencil7_kernel<T>>(grid, block, columns, rows, planes, in.data(), out.data());
  //@stub
  //| harness::unsolved("01.stencil7.kernel", "topics/01-ai-basics/README.md#stencil7");
  //@end
}

// n planes of n + 1 rows of n + 2 points.
HARNESS_COUNTED_LAB(stencil7, float,
                    {.work =
                         [](std::int64_t n) {
                           const auto side = static_cast<double>(n);
                           return harness::Work{6 * (side - 2) * (side - 1) * side,
                                                8 * side * (side + 1) * (side + 2)};
                         },
                     .buffer_size = [](std::int64_t n, int) { return n * (n + 1) * (n + 2); },
                     .integer_scalar = [](std::int64_t n, int scalar) { return n + scalar; },
                     .default_n = 384,
                     .beyond_caches = true});
