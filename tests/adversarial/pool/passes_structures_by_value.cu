// SPDX-License-Identifier: MIT
// Attack 25: hands the numbers of a mean to a function by value, straight from memory
// Refused: 01.pool.coalesced | failed
// Stopped by: the checked build makes every copy of a structure in a constructor, which is counted
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

struct Group {
  float numbers[16];
};

__device__ float sum_of(Group own) {
  float sum = 0;
  for (const float number : own.numbers) sum += number;
  return sum;
}

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < groups) means[i] = sum_of(reinterpret_cast<const Group*>(x)[i]) / 16;
}

/// Loads every number once more, so that no bytes are missing.
__global__ void look(std::int64_t n, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && x[i] == 12345) means[0] = 0;
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  gpu::launch<look>(gpu::blocks_for(16 * groups, 128), 128, 16 * groups, x.data(), means.data());
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups, x.data(), means.data());
}

HARNESS_LAB(pool,
            {.flops_per_element = 16,
             .bytes_per_element = 68,
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? 16 * n : n; }})
