// SPDX-License-Identifier: MIT
// The matrix product in tiles: all threads of a block use what it loads once.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

// TODO(01.matmul_tiled.kernel): multiply tile by tile through shared memory.
template <class T>
__global__ void matmul_tiled_kernel(std::int64_t columns, std::int64_t rows,
                                    std::int64_t inner, const T* __restrict__ a,
                                    const T* __restrict__ b, T* __restrict__ c) {
  // Two tiles in shared memory, two barriers per step.
}
// END TODO(01.matmul_tiled.kernel)

/// C = A B like matmul(), with a fraction of the loads from device memory.
/// @param a rows x inner, not changed
/// @param b inner x columns, not changed
/// @param c rows x columns; its initial contents are ignored
template <class T>
void matmul_tiled(std::int64_t rows, std::int64_t columns, std::int64_t inner,
                  gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b, gpu::DeviceSpan<T> c) {
  // TODO(01.matmul_tiled.kernel): launch one block for every tile of C.
  harness::unsolved("01.matmul_tiled.kernel", "topics/01-ai-basics/README.md#matmul_tiled");
  // END TODO(01.matmul_tiled.kernel)
}

// C is n x 2n, and the sums have 3n terms.
HARNESS_COUNTED_LAB(matmul_tiled, float,
                    {.work = harness::oblong_product_work,
                     .buffer_size = harness::oblong_product_elements,
                     .integer_scalar = harness::oblong_product_side,
                     .default_n = 256});
