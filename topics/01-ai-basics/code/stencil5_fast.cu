// SPDX-License-Identifier: MIT
// The five-point stencil at the speed of memory: four columns and several rows per thread.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

// TODO(01.stencil5_fast.kernel): write a fast kernel that moves little more than 8 bytes per point.
template <class T>
__global__ void stencil5_fast_kernel(std::int64_t columns, std::int64_t rows,
                                     const T* __restrict__ in, T* __restrict__ out) {
  // gpu::Vector<T, 4> is float4: one load of sixteen bytes, where the address allows it.
}
// END TODO(01.stencil5_fast.kernel)

/// The same sweep as stencil5(), but fast.
/// @param in rows*columns values, row after row, not changed
/// @param out rows*columns values that do not overlap in
template <class T>
void stencil5_fast(std::int64_t rows, std::int64_t columns, gpu::DeviceSpan<const T> in,
                   gpu::DeviceSpan<T> out) {
  // TODO(01.stencil5_fast.kernel): launch it; the grid may have any number of rows and columns.
  harness::unsolved("01.stencil5_fast.kernel", "topics/01-ai-basics/README.md#stencil5_fast");
  // END TODO(01.stencil5_fast.kernel)
}

// n is the number of rows; a row has half as many points again.
HARNESS_COUNTED_LAB(stencil5_fast, float,
                    {.work = harness::five_point_work,
                     .buffer_size = harness::grid_elements,
                     .integer_scalar = harness::grid_side,
                     .default_n = 6144,
                     .beyond_caches = true});
