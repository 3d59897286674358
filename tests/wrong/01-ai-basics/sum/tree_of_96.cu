// SPDX-License-Identifier: MIT
// Halves a tree of 96 threads until three are left, and forgets the third.
// Refused: 01.sum.kernel | failed | The sum lacks x[2]
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kThreads = 96;

template <class T>
__global__ void sum_kernel(std::int64_t n, const T* __restrict__ x, T* __restrict__ total) {
  __shared__ T part[kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  part[thread] = 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + thread; i < n;
       i += std::int64_t{gridDim.x} * kThreads) {
    part[thread] += x[i];
  }
  __syncthreads();
  for (int width = kThreads / 2; width > 0; width /= 2) {
    if (thread < width) part[thread] += part[thread + width];
    __syncthreads();
  }
  if (thread == 0) atomicAdd(total, part[0]);
}

template <class T>
void sum(gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> total) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::fill_bytes(total, 0);
  if (n == 0) return;
  gpu::launch<sum_kernel<T>>(8, kThreads, n, x.data(), total.data());
}

HARNESS_COUNTED_LAB(sum, float,
                    {.buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : 1; }})
