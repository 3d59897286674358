// SPDX-License-Identifier: MIT
// The matrix product straight from its definition: two loads for every multiply-add.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

//@solve 01.matmul.kernel: write the kernel: a thread computes one element of C.
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
    sum = fmaf(a[row * inner + k], b[k * columns + column], sum);
  }
  c[row * columns + column] = sum;
}
//@stub
//| template <class T>
//| __global__ void matmul_kernel(std::int64_t columns, std::int64_t rows, std::int64_t inner,
//|                               const T* __restrict__ a, const T* __restrict__ b,
//|                               T* __restrict__ c) {
//|   // Let threadIdx.x choose the column: adjacent threads then read adjacent elements of B.
//| }
//@end

/// C = A B, all stored row after row.
/// @param a rows x inner, not changed
/// @param b inner x columns, not changed
/// @param c rows x columns; its initial contents are ignored
template <class T>
void matmul(std::int64_t rows, std::int64_t columns, std::int64_t inner, gpu::DeviceSpan<const T> a,
            gpu::DeviceSpan<const T> b, gpu::DeviceSpan<T> c) {
  //@solve 01.matmul.kernel: launch it with a thread for every element of C.
  const dim3 block(kThreadsAcross, kThreadsDown);
  const dim3 grid(gpu::blocks_for(columns, kThreadsAcross), gpu::blocks_for(rows, kThreadsDown));
  gpu::launch<matmul_kernel<T>>(grid, block, columns, rows, inner, a.data(), b.data(), c.data());
  //@stub
  //| harness::unsolved("01.matmul.kernel", "topics/01-ai-basics/README.md#matmul");
  //@end
}

// C is n x 2n, and the sums have 3n terms.
HARNESS_COUNTED_LAB(matmul, float,
                    {.work = harness::oblong_product_work,
                     .buffer_size = harness::oblong_product_elements,
                     .integer_scalar = harness::oblong_product_side,
                     .default_n = 256});
