// SPDX-License-Identifier: MIT
// One thread does everything.
// Refused: 02.triad.speed | failed | % of the reference
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void triad_kernel(std::int64_t n, T scalar, const T* x, const T* y, T* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i != 0) return;
  for (std::int64_t k = 0; k < n; ++k) {
    const std::int64_t at = k * 9 % n;
    out[at] = fma(scalar, y[at], x[at]);
  }
}

template <class T>
void triad(T scalar, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y,
           gpu::DeviceSpan<T> out) {
  const auto n = static_cast<std::int64_t>(out.size());
  gpu::launch<triad_kernel<T>>(gpu::blocks_for(n, 256), 256, n, scalar, x.data(), y.data(),
                               out.data());
}

HARNESS_COUNTED_LAB(triad, double, {.flops_per_element = 2, .bytes_per_element = 24});
