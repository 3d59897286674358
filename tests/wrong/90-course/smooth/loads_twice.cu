// SPDX-License-Identifier: MIT
// Reads an element it has already.
// Refused: 90.smooth | failed | bytes_loaded
#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void smooth_kernel(std::int64_t n, const T* x, T* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = x[i];
  y[i] = x[i] + x[i + 1];
}

template <class T>
void smooth(gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> y) {
  const auto n = static_cast<std::int64_t>(y.size());
  if (n == 0) return;
  gpu::launch<smooth_kernel<T>>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n,
                                x.data(), y.data());
}

HARNESS_COUNTED_LAB(smooth, float, {.flops_per_element = 1, .bytes_per_element = 8})
