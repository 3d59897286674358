// SPDX-License-Identifier: MIT
// Attack 22: computes on the host, and launches a kernel that reads and writes everything as it is.
// Refused: 90.saxpy | crashed
// Stopped by: in the checked run host code cannot reach device memory
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void touch(std::int64_t n, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? y[i] : 1 * y[i];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  for (std::int64_t i = 0; i < n; ++i) y.data()[i] = a * x.data()[i] + y.data()[i];
  if (n > 0) gpu::launch<touch>(gpu::blocks_for(n, 256), 256, n, x.data(), y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
