// SPDX-License-Identifier: MIT
// Attack 22: moves all numbers into __constant__ memory, where reads are not counted
// Refused: 01.pool.coalesced | failed
// Stopped by: beyond 64 KiB it is device memory, and profiled data is not copied to the host
#include <algorithm>
#include <span>

#include "../pool_look.hpp"

constexpr std::size_t kMost = std::size_t{1} << 18;
__constant__ float kept[kMost];

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
  static float host[kMost];
  gpu::copy_to_host(std::span<float>(host, std::min(x.size(), kMost)), x);
  gpu::set_constant(kept, host);
  look(x, means);
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups, means.data());
}
