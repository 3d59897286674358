// SPDX-License-Identifier: MIT
// A sum with sixteen-byte loads, a fixed number of blocks, and a tree in shared memory.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 512;
constexpr int kMostBlocks = 1056;
constexpr int kLoads = 4;

__global__ void sum_kernel(std::int64_t n, const double* __restrict__ x,
                           double* __restrict__ total) {
  __shared__ double part[kThreads];
  const auto* pairs = reinterpret_cast<const double2*>(x);
  const std::int64_t threads = std::int64_t{gridDim.x} * kThreads;
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  double sums[kLoads] = {};
  std::int64_t i = first;
  for (; i + (kLoads - 1) * threads < n / 2; i += kLoads * threads) {
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
      const double2 pair = pairs[i + k * threads];
      sums[k] += pair.x + pair.y;
    }
  }
  for (; i < n / 2; i += threads) sums[0] += pairs[i].x + pairs[i].y;
  if (first == 0 && n % 2 == 1) sums[0] += x[n - 1];
  part[threadIdx.x] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0) atomicAdd(total, part[0]);
}

void sum(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<double> total) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::fill_bytes(total, 0);
  if (n == 0) return;
  const unsigned needed = gpu::blocks_for(n, 2 * kThreads);
  gpu::launch<sum_kernel>(needed < kMostBlocks ? needed : kMostBlocks, kThreads, n, x.data(),
                          total.data());
}

HARNESS_LAB(sum, {.flops_per_element = 1,
                  .bytes_per_element = 8,
                  .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : 1; }})
