// SPDX-License-Identifier: MIT
// The blocks, each of as many elements as the reference's, add to the total without an atomic.
// Refused: 02.sum.kernel | failed | missing atomic in device memory
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr std::int64_t kPiece = 8192;

__global__ void sum_kernel(std::int64_t n, const double* x, double* total) {
  double sum = 0;
  for (std::int64_t i = blockIdx.x * kPiece; i < n && i < (blockIdx.x + 1) * kPiece; ++i)
    sum += x[i];
  *total += sum;
}

void sum(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<double> total) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::fill_bytes(total, 0);
  gpu::launch<sum_kernel>(gpu::blocks_for(n, kPiece), 1, n, x.data(), total.data());
}

HARNESS_LAB(sum, {.flops_per_element = 1,
                  .bytes_per_element = 8,
                  .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : 1; }});
