// SPDX-License-Identifier: MIT
// One element per thread, and one chain.
// Earns: 03.sweep.counted | does no more work than allowed
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void one_each(std::int64_t n, int iterations, T a, T b, T* x) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T value = x[i];
  for (int k = 0; k < iterations; ++k) value = fma(a, value, b);
  x[i] = value;
}

template <class T>
void sweep(int iterations, T a, T b, gpu::DeviceSpan<T> x) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  gpu::launch<one_each<T>>(gpu::blocks_for(n, 256), 256, n, iterations, a, b, x.data());
}

HARNESS_COUNTED_LAB(sweep, float, {})
