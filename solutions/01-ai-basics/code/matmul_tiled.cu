// SPDX-License-Identifier: MIT
// The matrix product in tiles: all threads of a block use what it loads once.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

//@solve 01.matmul_tiled.kernel: multiply tile by tile through shared memory.
constexpr int kTile = 16;

template <class T>
__global__ void matmul_tiled_kernel(std::int64_t columns, std::int64_t rows, std::int64_t inner,
                                    const T* __restrict__ a, const T* __restrict__ b,
                                    T* __restrict__ c) {
  __shared__ T tile_a[kTile][kTile];
  __shared__ T tile_b[kTile][kTile];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const std::int64_t column = std::int64_t{blockIdx.x} * kTile + x;
  const std::int64_t row = std::int64_t{blockIdx.y} * kTile + y;
  T sum = 0;
  for (std::int64_t first = 0; first < inner; first += kTile) {
    if (row < rows && first + x < inner) tile_a[y][x] = a[row * inner + first + x];
    if (column < columns && first + y < inner) tile_b[y][x] = b[(first + y) * columns + column];
    __syncthreads();  // the tiles are loaded by all threads together
    const int terms = first + kTile < inner ? kTile : static_cast<int>(inner - first);
    if (row < rows && column < columns) {
      for (int k = 0; k < terms; ++k) sum = fmaf(tile_a[y][k], tile_b[k][x], sum);
    }
    __syncthreads();  // or a fast thread overwrites what a slow one still reads
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}
//@stub
//| template <class T>
//| __global__ void matmul_tiled_kernel(std::int64_t columns, std::int64_t rows,
//|                                     std::int64_t inner, const T* __restrict__ a,
//|                                     const T* __restrict__ b, T* __restrict__ c) {
//|   // Two tiles in shared memory, two barriers per step.
//| }
//@end

/// C = A B like matmul(), with a fraction of the loads from device memory.
/// @param a rows x inner, not changed
/// @param b inner x columns, not changed
/// @param c rows x columns; its initial contents are ignored
template <class T>
void matmul_tiled(std::int64_t rows, std::int64_t columns, std::int64_t inner,
                  gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b, gpu::DeviceSpan<T> c) {
  //@solve 01.matmul_tiled.kernel: launch one block for every tile of C.
  const dim3 block(kTile, kTile);
  const dim3 grid(gpu::blocks_for(columns, kTile), gpu::blocks_for(rows, kTile));
  gpu::launch<matmul_tiled_kernel<T>>(grid, block, columns, rows, inner, a.data(), b.data(),
                                      c.data());
  //@stub
  //| harness::unsolved("01.matmul_tiled.kernel", "topics/01-ai-basics/README.md#matmul_tiled");
  //@end
}

// C is n x 2n, and the sums have 3n terms.
HARNESS_COUNTED_LAB(matmul_tiled, float,
                    {.work = harness::oblong_product_work,
                     .buffer_size = harness::oblong_product_elements,
                     .integer_scalar = harness::oblong_product_side,
                     .default_n = 256});
