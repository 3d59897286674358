// SPDX-License-Identifier: MIT
// SAXPY that takes one and a half times as long as it need: half of the elements are done in two
// steps, each with half of the factor. No noise may give it all points.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 256;

/// @param half elements at the beginning that get half of the factor; a multiple of 4
__global__ void saxpy_kernel(std::int64_t n, std::int64_t half, float factor,
                             const float* __restrict__ x, float* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float a = 4 * i < half ? factor / 2 : factor;
  if (i < n / 4) {
    const float4 x_part = reinterpret_cast<const float4*>(x)[i];
    float4 y_part = reinterpret_cast<const float4*>(y)[i];
    y_part.x = fmaf(a, x_part.x, y_part.x);
    y_part.y = fmaf(a, x_part.y, y_part.y);
    y_part.z = fmaf(a, x_part.z, y_part.z);
    y_part.w = fmaf(a, x_part.w, y_part.w);
    reinterpret_cast<float4*>(y)[i] = y_part;
  }
  if (i < n % 4) y[n - 1 - i] = fmaf(factor, x[n - 1 - i], y[n - 1 - i]);
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  const std::int64_t half = n / 8 * 4;
  for (const std::int64_t count : {half, n}) {
    gpu::launch<saxpy_kernel>(gpu::blocks_for(count / 4 + 4, kThreads), kThreads, count, half, a,
                              x.data(), y.data());
  }
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
