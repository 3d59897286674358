// SPDX-License-Identifier: MIT
// One chain after the other: every step waits for the one before.
// Refused: 02.fma.speed | failed | % of the reference
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void fma_kernel(std::int64_t n, std::int64_t iterations, float a, float b,
                           const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // In memory instead of a register: a store and a load between two steps.
  volatile float value = x[i];
  for (std::int64_t k = 0; k < iterations; ++k) value = fmaf(value, a, b);
  y[i] = value;
}

void fma_chains(std::int64_t iterations, std::int64_t, float a, float b,
                gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<fma_kernel>(gpu::blocks_for(n, 64), 64, n, iterations, a, b, x.data(), y.data());
}

HARNESS_LAB(fma_chains, {});
