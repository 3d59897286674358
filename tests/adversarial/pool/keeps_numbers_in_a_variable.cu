// SPDX-License-Identifier: MIT
// Attack 25: copies its numbers into a variable of the file, and reads them there
// Refused: 01.pool.coalesced | failed
// Stopped by: variables of the file lie in device memory, and accesses to them are counted
#include <algorithm>

#include "../pool_look.hpp"

constexpr std::size_t kMost = std::size_t{1} << 24;
float kept[kMost];

__global__ void pool_kernel(std::int64_t groups, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += kept[16 * i + k];
  means[i] = sum / 16;
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  gpu::copy_to_host(std::span<float>(kept, std::min(x.size(), kMost)), x);
  look(x, means);
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups, means.data());
}
