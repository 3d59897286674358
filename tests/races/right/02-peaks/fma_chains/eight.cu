// SPDX-License-Identifier: MIT
// Multiply-adds in eight chains a thread, whatever number the caller asks for.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 256;
constexpr int kChains = 8;
constexpr int kSteps = 32;  // of each chain in a turn of the loop

__global__ void fma_kernel(std::int64_t n, std::int64_t iterations, float a, float b,
                           const float* __restrict__ x, float* __restrict__ y) {
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads * kChains + threadIdx.x;
  float value[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) {
    const std::int64_t i = first + c * kThreads;
    value[c] = i < n ? x[i] : 0.0f;
  }
  std::int64_t k = 0;
  for (; k + kSteps <= iterations; k += kSteps) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) value[c] = fmaf(value[c], a, b);
    }
  }
  for (; k < iterations; ++k) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) value[c] = fmaf(value[c], a, b);
  }
#pragma unroll
  for (int c = 0; c < kChains; ++c) {
    const std::int64_t i = first + c * kThreads;
    if (i < n) y[i] = value[c];
  }
}

void fma_chains(std::int64_t iterations, std::int64_t, float a, float b,
                gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<fma_kernel>(gpu::blocks_for(n, kThreads * kChains), kThreads, n, iterations, a, b,
                          x.data(), y.data());
}

HARNESS_LAB(fma_chains, {.flops_per_element = 8192,
                         .bytes_per_element = 8,
                         .integer_scalar = [](std::int64_t, int scalar) -> std::int64_t {
                           return scalar == 0 ? 4096 : 0;
                         }})
