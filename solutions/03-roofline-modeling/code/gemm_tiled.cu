// SPDX-License-Identifier: MIT
// Matrix product, second rung: a block keeps square tiles of A and B in shared memory, so that each
// element it loads serves a whole row or column of threads.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

constexpr int kTile = 32;

//@solve 03.gemm.tiled: load a tile of A and one of B, wait, multiply them, wait, repeat.
template <class T>
__global__ void gemm_tiled_kernel(int m, int n, int k, const T* __restrict__ a,
                                  const T* __restrict__ b, T* __restrict__ c) {
  __shared__ T a_tile[kTile][kTile];
  __shared__ T b_tile[kTile][kTile];
  const int x = static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * kTile + x;
  const int row = static_cast<int>(blockIdx.y) * kTile + y;
  T sum = T(0);
  for (int start = 0; start < k; start += kTile) {
    // Load zeros outside the matrices, so that every thread takes part in every barrier.
    a_tile[y][x] = row < m && start + x < k ? a[std::int64_t{row} * k + start + x] : T(0);
    b_tile[y][x] = start + y < k && column < n ? b[std::int64_t{start + y} * n + column] : T(0);
    __syncthreads();  // the tiles are complete
    for (int p = 0; p < kTile; ++p) sum = fma(a_tile[y][p], b_tile[p][x], sum);
    __syncthreads();  // nobody reads them any more
  }
  if (row < m && column < n) c[std::int64_t{row} * n + column] = sum;
}
//@stub
//| template <class T>
//| __global__ void gemm_tiled_kernel(int m, int n, int k, const T* __restrict__ a,
//|                                   const T* __restrict__ b, T* __restrict__ c) {
//|   __shared__ T a_tile[kTile][kTile];
//|   __shared__ T b_tile[kTile][kTile];
//| }
//@end

/// C = A B, row by row: A is m x k, B is k x n, C is m x n. With k = 0, C is all zeros.
template <class T>
void gemm_tiled(int m, int n, int k, gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b,
                gpu::DeviceSpan<T> c) {
  //@solve 03.gemm.tiled: launch a block of kTile x kTile threads per tile of C.
  const dim3 grid(gpu::blocks_for(n, kTile), gpu::blocks_for(m, kTile));
  gpu::launch<gemm_tiled_kernel<T>>(grid, dim3(kTile, kTile), m, n, k, a.data(), b.data(),
                                    c.data());
  //@stub
  //| harness::unsolved("03.gemm.tiled", "topics/03-roofline-modeling/README.md#gemm");
  //@end
}

HARNESS_COUNTED_LAB(gemm_tiled, float,
                    {.work = harness::square_product_work,
                     .buffer_size = harness::square_elements,
                     .default_n = 1024})
