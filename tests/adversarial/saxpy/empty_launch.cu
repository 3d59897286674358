// SPDX-License-Identifier: MIT
// Attack 22: computes on the host, and launches a kernel that does nothing beside it.
// Refused: 90.saxpy | crashed
// Stopped by: in the checked run host code cannot reach device memory
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, const float* x, float* y) {
  if (n > 0 && threadIdx.x == 0) y[0] = x[0] > 0 ? y[0] : y[0];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  for (std::int64_t i = 0; i < n; ++i) y.data()[i] = a * x.data()[i] + y.data()[i];
  if (n > 0) gpu::launch<saxpy_kernel>(dim3(1), dim3(32), n, x.data(), y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
