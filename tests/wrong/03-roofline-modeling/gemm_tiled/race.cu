// SPDX-License-Identifier: MIT
// Overwrites the tiles while other threads still read them.
// Refused: 03.gemm.tiled | failed | with no barrier between
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kTile = 32;

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
    // Outside of the matrices lie zeros, so that every thread takes part in every barrier.
    a_tile[y][x] = row < m && start + x < k ? a[std::int64_t{row} * k + start + x] : T(0);
    b_tile[y][x] = start + y < k && column < n ? b[std::int64_t{start + y} * n + column] : T(0);
    for (int p = 0; p < kTile; ++p) sum = fma(a_tile[y][p], b_tile[p][x], sum);
    __syncthreads();  // nobody reads them any more
  }
  if (row < m && column < n) c[std::int64_t{row} * n + column] = sum;
}

/// C = A B, row by row: A is m x k, B is k x n, C is m x n. With k = 0, C is all zeros.
template <class T>
void gemm_tiled(int m, int n, int k, gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b,
                gpu::DeviceSpan<T> c) {
  const dim3 grid(gpu::blocks_for(n, kTile), gpu::blocks_for(m, kTile));
  gpu::launch<gemm_tiled_kernel<T>>(grid, dim3(kTile, kTile), m, n, k, a.data(), b.data(),
                                    c.data());
}

static harness::Work square_work(std::int64_t n) {
  const auto size = static_cast<double>(n);
  return {2 * size * size * size, 3 * sizeof(float) * size * size};
}
static std::int64_t square_elements(std::int64_t n, int) {
  return n * n;
}

HARNESS_COUNTED_LAB(gemm_tiled, float,
                    {.work = square_work, .buffer_size = square_elements, .default_n = 1024})
