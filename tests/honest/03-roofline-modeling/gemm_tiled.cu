// SPDX-License-Identifier: MIT
// The last tile is multiplied as far as it is filled.
// Earns: 03.gemm.tiled-counted | does no more work than allowed
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

constexpr int kTile = 32;

template <class T>
__global__ void gemm_tiled_kernel(int m, int n, int k, const T* __restrict__ a,
                                  const T* __restrict__ b, T* __restrict__ c) {
  __shared__ T a_tile[kTile][kTile];
  __shared__ T b_tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int col = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
  T sum = 0;
  for (int t = 0; t < k; t += kTile) {
    a_tile[y][x] = row < m && t + x < k ? a[std::int64_t{row} * k + t + x] : T(0);
    b_tile[y][x] = t + y < k && col < n ? b[std::int64_t{t + y} * n + col] : T(0);
    __syncthreads();
    for (int i = 0; i < (k - t < kTile ? k - t : kTile); ++i)
      sum = fma(a_tile[y][i], b_tile[i][x], sum);
    __syncthreads();
  }
  if (row < m && col < n) c[std::int64_t{row} * n + col] = sum;
}

/// C = A B, row by row: A is m x k, B is k x n, C is m x n. With k = 0, C is all zeros.
template <class T>
void gemm_tiled(int m, int n, int k, gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b,
                gpu::DeviceSpan<T> c) {
  if (m == 0 || n == 0) return;
  gpu::launch<gemm_tiled_kernel<T>>(dim3(gpu::blocks_for(n, kTile), gpu::blocks_for(m, kTile)),
                                    dim3(kTile, kTile), m, n, k, a.data(), b.data(), c.data());
}

HARNESS_COUNTED_LAB(gemm_tiled, float,
                    {.work = harness::square_product_work,
                     .buffer_size = harness::square_elements,
                     .default_n = 1024})
