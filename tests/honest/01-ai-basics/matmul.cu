// SPDX-License-Identifier: MIT
// A thread computes two results of a column, so that each number of B is used twice.
// Earns: 01.matmul.counted | the usual kernel needs more
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void two_rows(std::int64_t rows, std::int64_t columns, std::int64_t inner, const T* a,
                         const T* b, T* c) {
  const std::int64_t column = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t row = 2 * std::int64_t{blockIdx.y};
  if (column >= columns) return;
  const bool has_second = row + 1 < rows;
  T first = T(0);
  T second = T(0);
  for (std::int64_t k = 0; k < inner; ++k) {
    const T factor = b[k * columns + column];
    first = fmaf(a[row * inner + k], factor, first);
    if (has_second) second = fmaf(a[(row + 1) * inner + k], factor, second);
  }
  c[row * columns + column] = first;
  if (has_second) c[(row + 1) * columns + column] = second;
}

template <class T>
void matmul(std::int64_t rows, std::int64_t columns, std::int64_t inner, gpu::DeviceSpan<const T> a,
            gpu::DeviceSpan<const T> b, gpu::DeviceSpan<T> c) {
  if (c.empty()) return;
  const dim3 grid(gpu::blocks_for(columns, 32), gpu::blocks_for(rows, 2));
  gpu::launch<two_rows<T>>(grid, 32, rows, columns, inner, a.data(), b.data(), c.data());
}

HARNESS_COUNTED_LAB(matmul, float, {})
