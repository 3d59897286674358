// SPDX-License-Identifier: MIT
// Matrix product, third rung: each thread keeps a small tile of C in registers, so that what it
// loads from A and B serves many of its elements.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

// A thread computes kRows x kColumns of C, each row in kPacks packs. On a GPU the 32 threads of a
// warp are side by side; on a CPU the threads of a block run one after another, so they are stacked
// vertically and find the same columns of B in the cache.
template <class T>
struct Shape {
  static constexpr bool kGpu = gpu::Features::kIsGpu;
  static constexpr int kRows = kGpu ? 8 : 6;
  static constexpr int kPacks = kGpu ? 1 : 2;
  static constexpr int kColumns = kPacks * gpu::kPackWidth<T>;
  static constexpr int kThreadsX = kGpu ? 32 : 1;
  static constexpr int kThreadsY = kGpu ? 8 : 16;
};

/// A tile entirely inside C, with aligned rows: kRows x kColumns at (row, column).
template <class T>
__device__ void whole_tile(int n, int k, int row, int column, const T* __restrict__ a,
                           const T* __restrict__ b, T* __restrict__ c) {
  //@solve 03.gemm.registers: sums in registers; per step kPacks packs of B and kRows elements of A.
  using S = Shape<T>;
  gpu::Pack<T> sum[S::kRows][S::kPacks];
#pragma unroll
  for (int i = 0; i < S::kRows; ++i) {
#pragma unroll
    for (int j = 0; j < S::kPacks; ++j) sum[i][j] = gpu::Pack<T>(T(0));
  }
  const T* a_row = a + std::int64_t{row} * k;
  for (int p = 0; p < k; ++p) {
    const T* b_row = b + std::int64_t{p} * n + column;
    gpu::Pack<T> b_part[S::kPacks];
#pragma unroll
    for (int j = 0; j < S::kPacks; ++j) b_part[j] = gpu::load_pack(b_row + j * gpu::kPackWidth<T>);
#pragma unroll
    for (int i = 0; i < S::kRows; ++i) {
      const gpu::Pack<T> a_part(a_row[std::int64_t{i} * k + p]);
#pragma unroll
      for (int j = 0; j < S::kPacks; ++j) {
        sum[i][j] = gpu::multiply_add(a_part, b_part[j], sum[i][j]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < S::kRows; ++i) {
#pragma unroll
    for (int j = 0; j < S::kPacks; ++j) {
      gpu::store_pack(c + std::int64_t{row + i} * n + column + j * gpu::kPackWidth<T>, sum[i][j]);
    }
  }
  //@stub
  //| // gpu::Pack<T> sum[kRows][kPacks]; for every p: sum[i][j] += a[row + i][p] * b[p][pack j].
  //@end
}

/// A tile at the edge of C, element by element.
template <class T>
__device__ void edge_tile(int m, int n, int k, int row, int column, const T* __restrict__ a,
                          const T* __restrict__ b, T* __restrict__ c) {
  for (int i = row; i < row + Shape<T>::kRows && i < m; ++i) {
    for (int j = column; j < column + Shape<T>::kColumns && j < n; ++j) {
      T sum = T(0);
      for (int p = 0; p < k; ++p) {
        sum = fma(a[std::int64_t{i} * k + p], b[std::int64_t{p} * n + j], sum);
      }
      c[std::int64_t{i} * n + j] = sum;
    }
  }
}

template <class T>
__global__ void gemm_registers_kernel(int m, int n, int k, const T* __restrict__ a,
                                      const T* __restrict__ b, T* __restrict__ c) {
  using S = Shape<T>;
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * S::kColumns;
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) * S::kRows;
  const bool aligned = n % gpu::kPackWidth<T> == 0;
  if (aligned && row + S::kRows <= m && column + S::kColumns <= n) {
    whole_tile(n, k, row, column, a, b, c);
  } else {
    edge_tile(m, n, k, row, column, a, b, c);
  }
}

/// C = A B, row by row: A is m x k, B is k x n, C is m x n. With k = 0, C is all zeros.
template <class T>
void gemm_registers(int m, int n, int k, gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b,
                    gpu::DeviceSpan<T> c) {
  using S = Shape<T>;
  const dim3 grid(gpu::blocks_for(n, S::kColumns * S::kThreadsX),
                  gpu::blocks_for(m, S::kRows * S::kThreadsY));
  //@solve 03.gemm.registers: launch gemm_registers_kernel<T>; grid and block are chosen above.
  gpu::launch<gemm_registers_kernel<T>>(grid, dim3(S::kThreadsX, S::kThreadsY), m, n, k, a.data(),
                                        b.data(), c.data());
  //@stub
  //| harness::unsolved("03.gemm.registers", "topics/03-roofline-modeling/README.md#gemm");
  //@end
}

HARNESS_COUNTED_LAB(gemm_registers, float,
                    {.work = harness::square_product_work,
                     .buffer_size = harness::square_elements,
                     .default_n = 1024})
