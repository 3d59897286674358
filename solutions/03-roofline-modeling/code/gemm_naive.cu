// SPDX-License-Identifier: MIT
// Matrix product, first rung: one thread per element of C, and no reuse at all.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

constexpr int kThreadsX = 32;
constexpr int kThreadsY = 8;

//@solve 03.gemm.naive: every thread sums the k products of one element of C.
template <class T>
__global__ void gemm_naive_kernel(int m, int n, int k, const T* __restrict__ a,
                                  const T* __restrict__ b, T* __restrict__ c) {
  // Adjacent threads compute adjacent elements of a row, so they load adjacent elements of B.
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (row >= m || column >= n) return;
  T sum = T(0);
  for (int p = 0; p < k; ++p) {
    sum = fma(a[std::int64_t{row} * k + p], b[std::int64_t{p} * n + column], sum);
  }
  c[std::int64_t{row} * n + column] = sum;
}
//@stub
//| template <class T>
//| __global__ void gemm_naive_kernel(int m, int n, int k, const T* __restrict__ a,
//|                                   const T* __restrict__ b, T* __restrict__ c) {
//|   // c[row * n + column] is the sum over p of a[row * k + p] * b[p * n + column].
//| }
//@end

/// C = A B, row by row: A is m x k, B is k x n, C is m x n. With k = 0, C is all zeros.
template <class T>
void gemm_naive(int m, int n, int k, gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b,
                gpu::DeviceSpan<T> c) {
  //@solve 03.gemm.naive: launch one thread per element of C.
  const dim3 grid(gpu::blocks_for(n, kThreadsX), gpu::blocks_for(m, kThreadsY));
  gpu::launch<gemm_naive_kernel<T>>(grid, dim3(kThreadsX, kThreadsY), m, n, k, a.data(), b.data(),
                                    c.data());
  //@stub
  //| harness::unsolved("03.gemm.naive", "topics/03-roofline-modeling/README.md#gemm");
  //@end
}

HARNESS_COUNTED_LAB(gemm_naive, float,
                    {.work = harness::square_product_work,
                     .buffer_size = harness::square_elements,
                     .default_n = 1024})
