// SPDX-License-Identifier: MIT
// Four neighbours per thread, the last first, with a product and a sum that the compiler may fuse.
// Earns: 02.fma.kernel | right for 14 sizes
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 64;
constexpr int kChains = 4;
constexpr int kSteps = 3;  // of each chain in a turn of the loop

__global__ void fma_kernel(std::int64_t n, std::int64_t iterations, float a, float b,
                           const float* __restrict__ x, float* __restrict__ y) {
  const std::int64_t first = kChains * (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x);
  float value[kChains];
  for (int c = 0; c < kChains; ++c) value[c] = first + c < n ? x[first + c] : 0;
  std::int64_t k = iterations;
  for (; k >= kSteps; k -= kSteps) {
    for (int step = 0; step < kSteps; ++step) {
      for (int c = kChains - 1; c >= 0; --c) value[c] = a * value[c] + b;
    }
  }
  for (; k > 0; --k) {
    for (int c = kChains - 1; c >= 0; --c) value[c] = b + value[c] * a;
  }
  for (int c = 0; c < kChains; ++c) {
    if (first + c < n) y[first + c] = value[c];
  }
}

void fma_chains(std::int64_t iterations, std::int64_t, float a, float b,
                gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<fma_kernel>(gpu::blocks_for(n, kThreads * kChains), kThreads, n, iterations, a, b,
                          x.data(), y.data());
}

HARNESS_LAB(fma_chains, {.flops_per_element = 8192, .bytes_per_element = 8})
