// SPDX-License-Identifier: MIT
// Matrix product, second rung: a block keeps square tiles of A and B in shared memory, so that each
// element it loads serves a whole row or column of threads.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/shapes.hpp"

constexpr int kTile = 32;

// TODO(03.gemm.tiled): load a tile of A and one of B, wait, multiply them, wait, repeat.
template <class T>
__global__ void gemm_tiled_kernel(int m, int n, int k, const T* __restrict__ a,
                                  const T* __restrict__ b, T* __restrict__ c) {
  __shared__ T a_tile[kTile][kTile];
  __shared__ T b_tile[kTile][kTile];
}
// END TODO(03.gemm.tiled)

/// C = A B, row by row: A is m x k, B is k x n, C is m x n. With k = 0, C is all zeros.
template <class T>
void gemm_tiled(int m, int n, int k, gpu::DeviceSpan<const T> a, gpu::DeviceSpan<const T> b,
                gpu::DeviceSpan<T> c) {
  // TODO(03.gemm.tiled): launch a block of kTile x kTile threads per tile of C.
  harness::unsolved("03.gemm.tiled", "topics/03-roofline-modeling/README.md#gemm");
  // END TODO(03.gemm.tiled)
}

HARNESS_COUNTED_LAB(gemm_tiled, float,
                    {.work = harness::square_product_work,
                     .buffer_size = harness::square_elements,
                     .default_n = 1024})
