// SPDX-License-Identifier: MIT
// SAXPY in which a fixed number of blocks strides over the array, sixteen bytes per thread and
// step.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 512;
constexpr int kMostBlocks = 1024;

__global__ void saxpy_kernel(std::int64_t n, float a, const float* __restrict__ x,
                             float* __restrict__ y) {
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (std::int64_t i = first; i < n / 4; i += threads) {
    const float4 x_part = reinterpret_cast<const float4*>(x)[i];
    float4 y_part = reinterpret_cast<const float4*>(y)[i];
    y_part.x += a * x_part.x;
    y_part.y += a * x_part.y;
    y_part.z += a * x_part.z;
    y_part.w += a * x_part.w;
    reinterpret_cast<float4*>(y)[i] = y_part;
  }
  for (std::int64_t i = n / 4 * 4 + first; i < n; i += threads) y[i] += a * x[i];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  const unsigned needed = gpu::blocks_for(n / 4 + 1, kThreads);
  gpu::launch<saxpy_kernel>(needed < kMostBlocks ? needed : kMostBlocks, kThreads, n, a, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
