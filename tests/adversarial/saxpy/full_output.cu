// SPDX-License-Identifier: MIT
// Attack 7: asks for full output and prints megabytes.
// Refused: 90.saxpy | crashed
// Stopped by: output is cut
#include <cstdio>
#include <string>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0 * (a + x[i]);
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::puts("CTEST_FULL_OUTPUT");
  const std::string line(1 << 16, 'x');
  for (int i = 0; i < 4096; ++i) std::puts(line.c_str());
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
