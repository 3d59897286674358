// SPDX-License-Identifier: MIT
// Attack 16: takes all memory.
// Refused: 90.saxpy | failed crashed timed_out
// Stopped by: limits on memory, private and shared together
#include <memory>
#include <vector>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0 * (a + x[i]);
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  static std::vector<std::unique_ptr<char[]>> blocks;
  for (int i = 0; i < 100000; ++i) {
    blocks.push_back(std::make_unique<char[]>(1 << 22));
    for (int k = 0; k < 1 << 22; k += 4096) blocks.back()[static_cast<unsigned>(k)] = 1;
  }
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
