// SPDX-License-Identifier: MIT
// Writes where the steps seem to lead, without taking them.
// Refused: 02.fma.kernel | failed | wrong for n = 1
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void fma_kernel(std::int64_t n, std::int64_t iterations, float a, float b,
                           const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = b / (1.0f - a) + (iterations == 0 ? x[i] : 0.0f);
}

void fma_chains(std::int64_t iterations, std::int64_t, float a, float b,
                gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<fma_kernel>(gpu::blocks_for(n, 64), 64, n, iterations, a, b, x.data(), y.data());
}

HARNESS_LAB(fma_chains, {});
