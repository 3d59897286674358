// SPDX-License-Identifier: MIT
// A sum whose warps add up with shuffles, and combine their sums in shared memory.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 256;
constexpr int kLoads = 16;

__global__ void sum_kernel(std::int64_t n, const double* __restrict__ x,
                           double* __restrict__ total) {
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads * kLoads + threadIdx.x;
  double own[kLoads];
#pragma unroll
  for (int k = 0; k < kLoads; ++k) {
    const std::int64_t i = first + k * kThreads;
    own[k] = i < n ? x[i] : 0.0;
  }
  double sum = 0;
#pragma unroll
  for (int k = 0; k < kLoads; ++k) sum += own[k];
  for (int distance = warpSize / 2; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(gpu::kFullMask, sum, distance);
  }
  __shared__ double of_warps[kThreads];
  const int warp = static_cast<int>(threadIdx.x) / warpSize;
  if (static_cast<int>(threadIdx.x) % warpSize == 0) of_warps[warp] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  sum = 0;
  for (int w = 0; w < kThreads / warpSize; ++w) sum += of_warps[w];
  atomicAdd(total, sum);
}

void sum(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<double> total) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::fill_bytes(total, 0);
  if (n == 0) return;
  gpu::launch<sum_kernel>(gpu::blocks_for(n, kThreads * kLoads), kThreads, n, x.data(),
                          total.data());
}

HARNESS_LAB(sum, {.flops_per_element = 1,
                  .bytes_per_element = 8,
                  .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : 1; }})
