// SPDX-License-Identifier: MIT
// Attack 26: computes on a thread that is not timed.
// Refused: 90.saxpy-speed | failed
// Stopped by: the program is stopped while the other is timed, and inspected at its end
#include <thread>
#include <vector>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());

  if (n < 1000000) {
    gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a,
                              x.data(), y.data());
    return;
  }
  std::thread([=] {
    for (std::int64_t i = 0; i < n; ++i) y.data()[i] = a * x.data()[i] + y.data()[i];
  }).detach();
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
