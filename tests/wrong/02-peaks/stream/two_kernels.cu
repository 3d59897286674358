// SPDX-License-Identifier: MIT
// A product, then a sum, as a framework does: the product goes through memory.
// Refused: 02.triad.counted | failed | bytes_loaded
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void scale_kernel(std::int64_t n, T scalar, const T* y, T* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = scalar * y[i];
}

template <class T>
__global__ void add_kernel(std::int64_t n, const T* x, T* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + out[i];
}

template <class T>
void triad(T scalar, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y,
           gpu::DeviceSpan<T> out) {
  const auto n = static_cast<std::int64_t>(out.size());
  gpu::launch<scale_kernel<T>>(gpu::blocks_for(n, 256), 256, n, scalar, y.data(), out.data());
  gpu::launch<add_kernel<T>>(gpu::blocks_for(n, 256), 256, n, x.data(), out.data());
}

HARNESS_COUNTED_LAB(triad, double, {.flops_per_element = 2, .bytes_per_element = 24});
