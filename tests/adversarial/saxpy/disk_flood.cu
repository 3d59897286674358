// SPDX-License-Identifier: MIT
// Attack 16: fills the disk.
// Refused: 90.saxpy | failed crashed timed_out
// Stopped by: limits on file sizes; / and /dev cannot be written to, /tmp is private and small
// Light: no
#include <fstream>
#include <string>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0 * (a + x[i]);
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  const std::string block(1 << 20, 'x');
  for (int file = 0; file < 100; ++file) {
    std::ofstream out("/tmp/flood" + std::to_string(file));
    for (int i = 0; i < 60 && out; ++i) out << block;
  }
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
