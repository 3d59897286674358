// SPDX-License-Identifier: MIT
// Multiplies in a loop on the host.
// Refused: 02.gemm.kernel | crashed | host code
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"
#include "harness/shapes.hpp"

void gemm(std::int64_t rows, std::int64_t columns, std::int64_t depth,
          gpu::DeviceSpan<const float> a, gpu::DeviceSpan<const float> b,
          gpu::DeviceSpan<float> c) {
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      float sum = 0;
      for (std::int64_t k = 0; k < depth; ++k) {
        sum += a.data()[row * depth + k] * b.data()[k * columns + column];
      }
      c.data()[row * columns + column] = sum;
    }
  }
}

HARNESS_LAB(gemm, {.work = harness::square_product_work,
                   .buffer_size = harness::square_elements,
                   .default_n = 2048})
