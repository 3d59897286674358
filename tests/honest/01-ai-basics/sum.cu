// SPDX-License-Identifier: MIT
// One block strides over the array; warps add up by shuffles.
// Earns: 01.sum.counted | does no more work than allowed
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kThreads = 128;

template <class T>
__global__ void strides(std::int64_t n, const T* x, T* total) {
  T sum = T(0);
  for (std::int64_t i = threadIdx.x; i < n; i += kThreads) sum += x[i];
  for (int apart = warpSize / 2; apart > 0; apart /= 2) {
    sum += __shfl_down_sync(gpu::kFullMask, sum, apart);
  }
  if (threadIdx.x % warpSize == 0) atomicAdd(total, sum);
}

template <class T>
void sum(gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> total) {
  gpu::fill_bytes(total, 0);
  gpu::launch<strides<T>>(1, kThreads, static_cast<std::int64_t>(x.size()), x.data(), total.data());
}

HARNESS_COUNTED_LAB(sum, float,
                    {.buffer_size = [](std::int64_t n, int b) { return b == 0 ? n : 1; }})
