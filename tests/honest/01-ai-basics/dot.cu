// SPDX-License-Identifier: MIT
// One block strides over both arrays; warps add up by shuffles.
// Earns: 01.dot.counted | does no more work than needed
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kThreads = 128;

template <class T>
__global__ void strides(std::int64_t n, const T* x, const T* y, T* result) {
  T sum = T(0);
  for (std::int64_t i = threadIdx.x; i < n; i += kThreads) sum = fmaf(x[i], y[i], sum);
  for (int apart = warpSize / 2; apart > 0; apart /= 2) {
    sum += __shfl_down_sync(gpu::kFullMask, sum, apart);
  }
  if (threadIdx.x % warpSize == 0) atomicAdd(result, sum);
}

template <class T>
void dot(gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y, gpu::DeviceSpan<T> result) {
  gpu::fill_bytes(result, 0);
  gpu::launch<strides<T>>(1, kThreads, static_cast<std::int64_t>(x.size()), x.data(), y.data(),
                          result.data());
}

HARNESS_COUNTED_LAB(dot, float,
                    {.buffer_size = [](std::int64_t n, int b) { return b < 2 ? n : 1; }})
