// SPDX-License-Identifier: MIT
// Attack 22: copies everything to the host, computes there, copies back, and launches an identity.
// Refused: 90.saxpy | failed
// Stopped by: what the host copies out of device memory and back is counted
#include <vector>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void touch(std::int64_t n, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? y[i] : 1 * y[i];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  std::vector<float> own_x(x.size()), own_y(y.size());
  gpu::copy_to_host(std::span<float>(own_x), x);
  gpu::copy_to_host(std::span<float>(own_y), y);
  for (std::size_t i = 0; i < own_x.size(); ++i) own_y[i] = a * own_x[i] + own_y[i];
  gpu::copy_to_device(y, std::span<const float>(own_y));
  gpu::launch<touch>(gpu::blocks_for(n, 256), 256, n, x.data(), y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
