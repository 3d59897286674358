// SPDX-License-Identifier: MIT
// Three neighbours per thread, through a function that takes a lambda.
// Earns: 02.saxpy.kernel | right for 14 sizes
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

template <int kEach, class F>
__device__ void each(std::int64_t n, F f) {
  const std::int64_t first = (std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x) * kEach;
#pragma unroll
  for (int k = 0; k < kEach; ++k)
    if (first + k < n) f(first + k);
}
__global__ void saxpy_kernel(std::int64_t n, float a, const float* __restrict__ x,
                             float* __restrict__ y) {
  each<3>(n, [=](std::int64_t i) { y[i] += a * x[i]; });
}

/// y = a*x + y, element by element, on the device.
/// @param a factor
/// @param x input, n floats, not changed
/// @param y input and output, n floats that do not overlap x
void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(gpu::blocks_for(n, 256), 256, n, a, x.data(), y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2,
                    .bytes_per_element = 12,
                    .default_n = 1 << 26,
                    .beyond_caches = true});
