// SPDX-License-Identifier: MIT
// Leaves out the last product of every sum.
// Refused: 03.gemm.naive | failed | wrong
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kThreadsX = 32;
constexpr int kThreadsY = 8;

template <class T>
__global__ void gemm_naive_kernel(int m, int n, int k, const T* __restrict__ a,
                                  const T* __restrict__ b, T* __restrict__ c) {
  // Neighbouring threads make neighbouring elements of a row: they load neighbours of B.
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row >= m || column >= n) return;
  T sum = T(0);
  for (int p = 0; p < k - 1; ++p) {
    sum = fma(a[std::int64_t{row} * k + p], b[std::int64_t{p} * n + column], sum);
  }
  c[std::int64_t{row} * n + column] = sum;
}

/// C = A B, row by row: A is m x k, B is k x n, C is m x n. With k = 0, C is all zeros.
template <class T>
void gemm_naive(int m, int n, int k, gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b,
                gpu::DeviceSpan<T> c) {
  const dim3 grid(gpu::blocks_for(n, kThreadsX), gpu::blocks_for(m, kThreadsY));
  gpu::launch<gemm_naive_kernel<T>>(grid, dim3(kThreadsX, kThreadsY), m, n, k, a.data(), b.data(),
                                    c.data());
}

static harness::Work square_work(std::int64_t n) {
  const auto size = static_cast<double>(n);
  return {2 * size * size * size, 3 * sizeof(float) * size * size};
}
static std::int64_t square_elements(std::int64_t n, int) {
  return n * n;
}

HARNESS_COUNTED_LAB(gemm_naive, float,
                    {.work = square_work, .buffer_size = square_elements, .default_n = 1024})
