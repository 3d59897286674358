// SPDX-License-Identifier: MIT
// The textbook version: the same number of blocks for any n, each of which adds up in shared
// memory.
// Earns: 02.sum.kernel | right for 15 sizes
// Earns: 02.sum.speed | of the reference's speed, predicted for the virtual
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kBlocks = 1056;
constexpr int kThreads = 256;

__global__ void grid_stride(std::int64_t n, const double* x, double* total) {
  __shared__ double part[kThreads];
  const std::int64_t step = std::int64_t{gridDim.x} * blockDim.x;
  double sum = 0;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    sum += x[i];
  }
  part[threadIdx.x] = sum;
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0) atomicAdd(total, part[0]);
}

void sum(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<double> total) {
  gpu::fill_bytes(total, 0);
  gpu::launch<grid_stride>(kBlocks, kThreads, static_cast<std::int64_t>(x.size()), x.data(),
                           total.data());
}

HARNESS_LAB(sum, {.flops_per_element = 1,
                  .bytes_per_element = 8,
                  .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : 1; },
                  .default_n = 1 << 26,
                  .beyond_caches = true});
