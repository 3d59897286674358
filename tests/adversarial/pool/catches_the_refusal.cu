// SPDX-License-Identifier: MIT
// Attack 22: copies to the host while it is profiled, and catches the error
// Refused: 01.pool.coalesced | failed
// Stopped by: the refused copy is not made
#include <exception>
#include <span>
#include <vector>

#include "../pool_look.hpp"

__global__ void place(std::int64_t groups, const float* from, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < groups) means[i] = from[i] + 0 * x[16 * i];
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  look(x, means);
  std::vector<float> in(x.size()), results(means.size());
  try {
    gpu::copy_to_host(std::span<float>(in), x);
  } catch (const std::exception&) {
  }
  for (std::size_t i = 0; i < in.size(); ++i) results[i / 16] += in[i] / 16;
  const auto device = gpu::to_device(results);
  gpu::launch<place>(gpu::blocks_for(groups, 128), 128, groups, device.data(), x.data(),
                     means.data());
}
