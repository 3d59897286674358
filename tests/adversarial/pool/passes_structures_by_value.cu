// SPDX-License-Identifier: MIT
// Attack 25: hands the numbers of a mean to a function by value, straight from memory
// Refused: 01.pool.coalesced | failed
// Stopped by: the checked build makes every copy of a structure in a constructor, which is counted
#include "../pool_look.hpp"

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

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  look(x, means);
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups, x.data(), means.data());
}
