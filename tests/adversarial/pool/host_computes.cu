// SPDX-License-Identifier: MIT
// Attack 22: computes on the host, and launches a kernel that does nothing
// Refused: 01.pool.coalesced | crashed
// Stopped by: in the checked run host code cannot reach device memory
#include "../pool_lab.hpp"

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  if (x == nullptr) means[i] = 0;
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  for (std::int64_t i = 0; i < groups; ++i) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += x.data()[16 * i + k];
    means.data()[i] = sum / 16;
  }
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups, x.data(), means.data());
}
