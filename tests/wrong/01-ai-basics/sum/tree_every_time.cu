// SPDX-License-Identifier: MIT
// Every 32 elements go through a separate tree, in which all lanes add at every level.
// Refused: 01.sum.counted | failed | flops
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kThreads = 128;

template <class T>
__global__ void trees(std::int64_t n, const T* x, T* total) {
  const int lane = static_cast<int>(threadIdx.x) % warpSize;
  T sum = T(0);
  for (std::int64_t i = threadIdx.x; i - lane < n; i += kThreads) {
    T value = T(0);
    if (i < n) value = x[i];
    for (int apart = warpSize / 2; apart > 0; apart /= 2) {
      value += __shfl_down_sync(gpu::kFullMask, value, apart);
    }
    sum += value;
  }
  if (lane == 0) atomicAdd(total, sum);
}

template <class T>
void sum(gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> total) {
  gpu::fill_bytes(total, 0);
  gpu::launch<trees<T>>(1, kThreads, static_cast<std::int64_t>(x.size()), x.data(), total.data());
}

HARNESS_COUNTED_LAB(sum, float,
                    {.buffer_size = [](std::int64_t n, int b) { return b == 0 ? n : 1; }})
