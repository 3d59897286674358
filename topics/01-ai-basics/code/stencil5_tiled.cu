// SPDX-License-Identifier: MIT
// The five-point stencil through a tile in shared memory: each block loads its points about once.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

// TODO(01.stencil5_tiled.kernel): load a tile with its halo, wait for it, and compute from it.
template <class T>
__global__ void stencil5_tiled_kernel(std::int64_t columns, std::int64_t rows,
                                      const T* __restrict__ in, T* __restrict__ out) {
  // __shared__ T tile[...][...]; all threads of a block must reach __syncthreads().
}
// END TODO(01.stencil5_tiled.kernel)

/// The same sweep as stencil5(), with fewer loads from device memory.
/// @param in rows*columns values, row after row, not changed
/// @param out rows*columns values that do not overlap in
template <class T>
void stencil5_tiled(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const T> in,
                    gpu::DeviceSpan<T> out) {
  // TODO(01.stencil5_tiled.kernel): launch one block for every tile.
  harness::unsolved("01.stencil5_tiled.kernel",
                    "topics/01-ai-basics/README.md#stencil5_tiled");
  // END TODO(01.stencil5_tiled.kernel)
}

// n is the number of rows; a row has half as many points again.
HARNESS_COUNTED_LAB(stencil5_tiled, float,
                    {.work = harness::five_point_work,
                     .buffer_size = harness::grid_elements,
                     .integer_scalar = harness::grid_side,
                     .default_n = 6144,
                     .beyond_caches = true});
