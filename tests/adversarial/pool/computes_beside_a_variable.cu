// SPDX-License-Identifier: MIT
// Attack 22: computes on the host, which can read the file's variables on a CPU
// Refused: 01.pool.kernel | failed
// Stopped by: what kernels store in variables counts as copied to the host
#include <vector>

#include "../pool_lab.hpp"

constexpr std::size_t kMost = std::size_t{1} << 18;
float kept[kMost];

__global__ void take(std::int64_t n, const float* x) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) kept[i] = x[i];
}

__global__ void place(std::int64_t groups, const float* from, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < groups) means[i] = from[i];
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  gpu::launch<take>(gpu::blocks_for(16 * groups, 128), 128, 16 * groups, x.data());
  std::vector<float> results(means.size());
  for (std::size_t i = 0; i < x.size(); ++i) results[i / 16] += kept[i] / 16;
  const auto device = gpu::to_device(results);
  gpu::launch<place>(gpu::blocks_for(groups, 128), 128, groups, device.data(), means.data());
}
