// SPDX-License-Identifier: MIT
// One element per thread, added to zero, and a tree: exactly as much work as the exercise allows.
// Earns: 01.dot.counted | does no more work than allowed
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kThreads = 256;

template <class T>
__global__ void tree(std::int64_t n, const T* x, const T* y, T* result) {
  __shared__ T parts[kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + thread;
  T sum = T(0);
  if (i < n) sum = fmaf(x[i], y[i], sum);
  parts[thread] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (thread < half) parts[thread] += parts[thread + half];
    __syncthreads();
  }
  if (thread == 0) atomicAdd(result, parts[0]);
}

template <class T>
void dot(gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y, gpu::DeviceSpan<T> result) {
  gpu::fill_bytes(result, 0);
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<tree<T>>(gpu::blocks_for(n, kThreads), kThreads, n, x.data(), y.data(),
                       result.data());
}

HARNESS_COUNTED_LAB(dot, float,
                    {.buffer_size = [](std::int64_t n, int b) { return b < 2 ? n : 1; }})
