// SPDX-License-Identifier: MIT
// Scales by nothing: the output is only cleared.
// Refused: 02.scale.kernel | failed | wrong for n = 1
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void scale_kernel(std::int64_t n, double* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 0;
}

void scale(double, gpu::DeviceSpan<const double>, gpu::DeviceSpan<double> out) {
  const auto n = static_cast<std::int64_t>(out.size());
  gpu::launch<scale_kernel>(gpu::blocks_for(n, 256), 256, n, out.data());
}

HARNESS_LAB(scale, {.flops_per_element = 1, .bytes_per_element = 16});
