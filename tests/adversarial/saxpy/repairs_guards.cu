// SPDX-License-Identifier: MIT
// Attack 37: writes around its arrays, and puts back what lay there.
// Refused: 90.saxpy | failed crashed
// Stopped by: the checked run sees every access
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kAround = 8;

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n + kAround) y[i] = a * x[i] + y[i];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  float before[kAround];
  for (int i = 0; i < kAround; ++i) before[i] = y.data()[n + i];
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + kAround + 255) / 256)), dim3(256), n, a,
                            x.data(), y.data());
  gpu::synchronize();
  for (int i = 0; i < kAround; ++i) y.data()[n + i] = before[i];
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
