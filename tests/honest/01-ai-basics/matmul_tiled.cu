// SPDX-License-Identifier: MIT
// Tiles with a side of 32: half as many loads as usual.
// Earns: 01.matmul_tiled.counted | the usual kernel needs more
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kTile = 32;

template <class T>
__global__ void tiles(std::int64_t rows, std::int64_t columns, std::int64_t inner, const T* a,
                      const T* b, T* c) {
  __shared__ T a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const std::int64_t column = std::int64_t{blockIdx.x} * kTile + x;
  const std::int64_t row = std::int64_t{blockIdx.y} * kTile + y;
  T sum = T(0);
  for (std::int64_t start = 0; start < inner; start += kTile) {
    const std::int64_t terms = inner - start < kTile ? inner - start : kTile;
    if (row < rows && x < terms) a_tile[y][x] = a[row * inner + start + x];
    if (y < terms && column < columns) b_tile[y][x] = b[(start + y) * columns + column];
    __syncthreads();
    if (row < rows && column < columns) {
      for (int k = 0; k < terms; ++k) sum = fma(a_tile[y][k], b_tile[k][x], sum);
    }
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

template <class T>
void matmul_tiled(std::int64_t rows, std::int64_t columns, std::int64_t inner,
                  gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b, gpu::DeviceSpan<T> c) {
  if (c.empty()) return;
  const dim3 grid(gpu::blocks_for(columns, kTile), gpu::blocks_for(rows, kTile));
  gpu::launch<tiles<T>>(grid, dim3(kTile, kTile), rows, columns, inner, a.data(), b.data(),
                        c.data());
}

HARNESS_COUNTED_LAB(matmul_tiled, float, {})
