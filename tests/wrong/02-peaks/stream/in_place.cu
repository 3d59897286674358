// SPDX-License-Identifier: MIT
// Adds into x, which is an input.
// Refused: 02.add.kernel | failed | input
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void add_kernel(std::int64_t n, double* x, const double* y, double* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] += y[i];
  out[i] = x[i];
}

void add(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<const double> y,
         gpu::DeviceSpan<double> out) {
  const auto n = static_cast<std::int64_t>(out.size());
  gpu::launch<add_kernel>(gpu::blocks_for(n, 256), 256, n, const_cast<double*>(x.data()), y.data(),
                          out.data());
}

HARNESS_LAB(add, {.flops_per_element = 1, .bytes_per_element = 24});
