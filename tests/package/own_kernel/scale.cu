// SPDX-License-Identifier: MIT
// A kernel outside of the course: y = a*x, one FLOP and eight bytes per element.
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void scale_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}

void scale(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  gpu::launch<scale_kernel>(gpu::blocks_for(n, 256), 256, n, a, x.data(), y.data());
}

HARNESS_LAB(scale, {.flops_per_element = 1, .bytes_per_element = 8})
