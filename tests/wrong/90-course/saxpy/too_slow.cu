// SPDX-License-Identifier: MIT
// Every thread does one element in one long serial chain: right and much too slow.
// Refused: 90.saxpy-speed | failed | % of the reference
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i != 0) return;
  for (std::int64_t k = 0; k < n; ++k) {
    volatile float slow = x[(k * 4099) % n];
    for (int turn = 0; turn < 20; ++turn) slow = slow + 0.0F;
    y[k] = a * x[k] + y[k];
  }
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(1), dim3(1), n, a, x.data(), y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
