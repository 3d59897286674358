// SPDX-License-Identifier: MIT
// Reads B as if it were stored column after column.
// Refused: 01.matmul.kernel | failed | wrong for n =
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr unsigned kThreadsAcross = 32;
constexpr unsigned kThreadsDown = 8;

template <class T>
__global__ void matmul_kernel(std::int64_t columns, std::int64_t rows, std::int64_t inner,
                              const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c) {
  const std::int64_t column = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t row = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  if (column >= columns || row >= rows) return;
  T sum = 0;
  for (std::int64_t k = 0; k < inner; ++k) {
    sum = fmaf(a[row * inner + k], b[column * inner + k], sum);
  }
  c[row * columns + column] = sum;
}

/// C = A B, all stored row after row.
/// @param a rows x inner, not changed
/// @param b inner x columns, not changed
/// @param c rows x columns; what it holds before the call means nothing
template <class T>
void matmul(std::int64_t rows, std::int64_t columns, std::int64_t inner, gpu::DeviceSpan<const T> a,
            gpu::DeviceSpan<const T> b, gpu::DeviceSpan<T> c) {
  const dim3 block(kThreadsAcross, kThreadsDown);
  const dim3 grid(gpu::blocks_for(columns, kThreadsAcross), gpu::blocks_for(rows, kThreadsDown));
  gpu::launch<matmul_kernel<T>>(grid, block, columns, rows, inner, a.data(), b.data(), c.data());
}

// C is n x 2n, and the sums have 3n terms.
HARNESS_COUNTED_LAB(
    matmul, float,
    {.work =
         [](std::int64_t n) {
           const auto side = static_cast<double>(n);
           return harness::Work{12 * side * side * side, 4 * (3 + 6 + 2) * side * side};
         },
     .buffer_size =
         [](std::int64_t n, int buffer) {
           return (buffer == 0 ? 3 : buffer == 1 ? 6 : 2) * n * n;
         },
     .integer_scalar = [](std::int64_t n, int scalar) { return (scalar + 1) * n; },
     .default_n = 256});
