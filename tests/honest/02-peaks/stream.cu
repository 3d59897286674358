// SPDX-License-Identifier: MIT
// One element per thread.
// Earns: 02.triad.counted | does no more work than allowed
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void one_each(std::int64_t n, T scalar, const T* x, const T* y, T* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] + scalar * y[i];
}

template <class T>
void triad(T scalar, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y,
           gpu::DeviceSpan<T> out) {
  const auto n = static_cast<std::int64_t>(out.size());
  if (n == 0) return;
  gpu::launch<one_each<T>>(gpu::blocks_for(n, 256), 256, n, scalar, x.data(), y.data(), out.data());
}

HARNESS_COUNTED_LAB(triad, double, {})
