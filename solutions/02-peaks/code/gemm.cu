// SPDX-License-Identifier: MIT
// The vendor's matrix product: the fastest one available, as a roof for yours.
#include <cstdint>

#include "gpu/blas.hpp"
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"
#include "harness/shapes.hpp"

/// c = a b, all stored row by row: a is rows x depth, b is depth x columns, c is rows x columns.
void gemm(std::int64_t rows, std::int64_t columns, std::int64_t depth,
          gpu::DeviceSpan<const float> a, gpu::DeviceSpan<const float> b,
          gpu::DeviceSpan<float> c) {
  //@solve 02.gemm.kernel: call gpu::sgemm, which stores matrices column by column.
  if (rows == 0 || columns == 0) return;
  // Read column by column, a row-by-row c is its transpose, and (a b)^T = b^T a^T: swap the
  // operands, and nothing has to be moved.
  gpu::sgemm(columns, rows, depth, 1.0f, b.data(), columns, a.data(), depth, 0.0f, c.data(),
             columns);
  //@stub
  //| harness::unsolved("02.gemm.kernel", "topics/02-peaks/README.md#gemm");
  //@end
}

HARNESS_LAB(gemm, {.work = harness::square_product_work,
                   .buffer_size = harness::square_elements,
                   .default_n = gpu::Features::kIsGpu ? 8192 : 2048});
