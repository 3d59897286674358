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

// TODO(03.gemm.naive): every thread sums the k products of one element of C.
template <class T>
__global__ void gemm_naive_kernel(int m, int n, int k, const T* __restrict__ a,
                                  const T* __restrict__ b, T* __restrict__ c) {
  // c[row * n + column] is the sum over p of a[row * k + p] * b[p * n + column].
}
// END TODO(03.gemm.naive)

/// C = A B, row by row: A is m x k, B is k x n, C is m x n. With k = 0, C is all zeros.
template <class T>
void gemm_naive(int m, int n, int k, gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b,
                gpu::DeviceSpan<T> c) {
  // TODO(03.gemm.naive): launch one thread per element of C.
  harness::unsolved("03.gemm.naive", "topics/03-roofline-modeling/README.md#gemm");
  // END TODO(03.gemm.naive)
}

HARNESS_COUNTED_LAB(gemm_naive, float,
                    {.work = harness::square_product_work,
                     .buffer_size = harness::square_elements,
                     .default_n = 1024})
