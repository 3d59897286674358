// SPDX-License-Identifier: MIT
// A sum in which a fixed number of blocks strides over the array with sixteen-byte loads.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 512;
constexpr int kMostBlocks = 1056;
constexpr int kLoads = 4;

__global__ void sum_kernel(std::int64_t n, const float* __restrict__ x, float* __restrict__ total) {
  __shared__ float part[kThreads];
  const auto* quads = reinterpret_cast<const float4*>(x);
  const std::int64_t threads = std::int64_t{gridDim.x} * kThreads;
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  float sums[kLoads] = {};
  std::int64_t i = first;
  for (; i + (kLoads - 1) * threads < n / 4; i += kLoads * threads) {
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
      const float4 quad = quads[i + k * threads];
      sums[k] += (quad.x + quad.y) + (quad.z + quad.w);
    }
  }
  for (; i < n / 4; i += threads) {
    const float4 quad = quads[i];
    sums[0] += (quad.x + quad.y) + (quad.z + quad.w);
  }
  if (first < n % 4) sums[0] += x[n - 1 - first];
  part[threadIdx.x] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0) atomicAdd(total, part[0]);
}

void sum(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> total) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::fill_bytes(total, 0);
  if (n == 0) return;
  const unsigned needed = gpu::blocks_for(n / 4 + 1, kThreads);
  gpu::launch<sum_kernel>(needed < kMostBlocks ? needed : kMostBlocks, kThreads, n, x.data(),
                          total.data());
}

HARNESS_LAB(sum, {.flops_per_element = 1,
                  .bytes_per_element = 4,
                  .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : 1; }})
