// SPDX-License-Identifier: MIT
// Takes the library at its word and gets the product of the transposed matrices.
// Refused: 02.gemm.kernel | failed | wrong for n = 2
#include <cstdint>

#include "gpu/blas.hpp"
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

void gemm(std::int64_t rows, std::int64_t columns, std::int64_t depth,
          gpu::DeviceSpan<const float> a, gpu::DeviceSpan<const float> b,
          gpu::DeviceSpan<float> c) {
  if (rows == 0 || columns == 0) return;
  gpu::sgemm(rows, columns, depth, 1.0f, a.data(), rows, b.data(), depth, 0.0f, c.data(), rows);
}

HARNESS_LAB(gemm, {.buffer_size = [](std::int64_t n, int) { return n * n; }});
