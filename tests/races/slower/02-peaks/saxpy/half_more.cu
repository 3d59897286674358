// SPDX-License-Identifier: MIT
// SAXPY that takes 1.5 times as long as necessary: it also processes half as many numbers again,
// from arrays of its own. Processing numbers of the task twice would cost less, because a large
// cache still holds many of them; from its own arrays every call takes the part that was touched
// longest ago. No amount of noise may give it full points.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 256;
constexpr std::int64_t kPart = 1 << 22;  // half of the numbers of the race
constexpr std::int64_t kParts = 8;       // 256 MB in all

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

void launch_saxpy(std::int64_t n, float a, const float* x, float* y) {
  gpu::launch<saxpy_kernel>(gpu::blocks_for(n / 4 + 4, kThreads), kThreads, n, a, x, y);
}

gpu::DeviceBuffer<float> zeros() {
  gpu::DeviceBuffer<float> result(kParts * kPart);
  gpu::fill_bytes(result, 0);
  return result;
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  static gpu::DeviceBuffer<float> own_x = zeros();
  static gpu::DeviceBuffer<float> own_y = zeros();
  static std::int64_t part = 0;
  const auto n = static_cast<std::int64_t>(x.size());
  launch_saxpy(n, a, x.data(), y.data());
  launch_saxpy(std::min(n / 2, kPart), a, own_x.data() + part * kPart, own_y.data() + part * kPart);
  part = (part + 1) % kParts;
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
