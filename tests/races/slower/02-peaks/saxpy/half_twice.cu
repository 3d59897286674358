// SPDX-License-Identifier: MIT
// SAXPY that takes one and a half times as long as it need: half of the elements are done twice,
// the second time with the factor 0. No noise may give it all points.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 256;

__global__ void saxpy_kernel(std::int64_t n, float a, const float* __restrict__ x,
                             float* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    const float4 x_part = reinterpret_cast<const float4*>(x)[i];
    float4 y_part = reinterpret_cast<const float4*>(y)[i];
    y_part.x = fmaf(a, x_part.x, y_part.x);
    y_part.y = fmaf(a, x_part.y, y_part.y);
    y_part.z = fmaf(a, x_part.z, y_part.z);
    y_part.w = fmaf(a, x_part.w, y_part.w);
    reinterpret_cast<float4*>(y)[i] = y_part;
  }
  if (i < n % 4) y[n - 1 - i] = fmaf(a, x[n - 1 - i], y[n - 1 - i]);
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  const std::int64_t half = n / 8 * 4;
  gpu::launch<saxpy_kernel>(gpu::blocks_for(n / 4 + 4, kThreads), kThreads, n, a, x.data(),
                            y.data());
  gpu::launch<saxpy_kernel>(gpu::blocks_for(half / 4 + 4, kThreads), kThreads, half, 0.0f, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
