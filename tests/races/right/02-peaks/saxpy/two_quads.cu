// SPDX-License-Identifier: MIT
// SAXPY with two sixteen-byte loads of each array in flight per thread.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 256;

__device__ inline float4 updated(float a, float4 x, float4 y) {
  y.x = fmaf(a, x.x, y.x);
  y.y = fmaf(a, x.y, y.y);
  y.z = fmaf(a, x.z, y.z);
  y.w = fmaf(a, x.w, y.w);
  return y;
}

__global__ void saxpy_kernel(std::int64_t n, float a, const float* __restrict__ x,
                             float* __restrict__ y) {
  const auto* x_quads = reinterpret_cast<const float4*>(x);
  auto* y_quads = reinterpret_cast<float4*>(y);
  const std::int64_t first = std::int64_t{blockIdx.x} * 2 * blockDim.x + threadIdx.x;
  const std::int64_t second = first + blockDim.x;
  if (second < n / 4) {
    const float4 x_first = x_quads[first];
    const float4 x_second = x_quads[second];
    const float4 y_first = y_quads[first];
    const float4 y_second = y_quads[second];
    y_quads[first] = updated(a, x_first, y_first);
    y_quads[second] = updated(a, x_second, y_second);
  } else if (first < n / 4) {
    y_quads[first] = updated(a, x_quads[first], y_quads[first]);
  }
  if (first < n % 4) y[n - 1 - first] = fmaf(a, x[n - 1 - first], y[n - 1 - first]);
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<saxpy_kernel>(gpu::blocks_for(n / 4 + 4, 2 * kThreads), kThreads, n, a, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
