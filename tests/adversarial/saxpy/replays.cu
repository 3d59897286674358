// SPDX-License-Identifier: MIT
// Attack 27: keeps its first result and gives it again.
// Refused: 90.saxpy-speed | failed
// Stopped by: inputs are new between the rounds
#include <cstring>
#include <vector>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  static std::vector<float> kept;
  if (static_cast<std::int64_t>(kept.size()) == n && n > 0) {
    std::memcpy(y.data(), kept.data(), kept.size() * sizeof(float));
    return;
  }
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a, x.data(),
                            y.data());
  gpu::synchronize();
  kept.assign(y.data(), y.data() + n);
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
