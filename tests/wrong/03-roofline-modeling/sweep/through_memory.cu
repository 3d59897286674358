// SPDX-License-Identifier: MIT
// Keeps the element in device memory between the steps.
// Refused: 03.sweep.counted | failed | bytes_loaded
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kThreads = 256;

template <class T>
__global__ void sweep_kernel(std::int64_t n, int iterations, T a, T b, T* x) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  for (int step = 0; step < iterations; ++step) x[i] = fma(a, x[i], b);
}

template <class T>
void sweep(int iterations, T a, T b, gpu::DeviceSpan<T> x) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<sweep_kernel<T>>(gpu::blocks_for(n, kThreads), kThreads, n, iterations, a, b,
                               x.data());
}

HARNESS_COUNTED_LAB(sweep, float, {})
