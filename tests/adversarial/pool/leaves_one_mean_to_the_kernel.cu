// SPDX-License-Identifier: MIT
// Attack 22: computes all means but one on the host
// Refused: 01.pool.kernel | failed
// Stopped by: half of the input on the host and half of the results back are enough to refuse it
#include <span>
#include <vector>

#include "../pool_lab.hpp"

__global__ void pool_kernel(std::int64_t last, const float* x, const float* from, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < last) means[i] = from[i];
  if (i != last) return;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[16 * i + k];
  means[i] = sum / 16;
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  std::vector<float> in(x.size() - 16), results(means.size());
  if (groups > 1) gpu::copy_to_host(std::span<float>(in), x.subspan(0, in.size()));
  for (std::size_t i = 0; i < in.size(); ++i) results[i / 16] += in[i] / 16;
  const auto device = gpu::to_device(results);
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups - 1, x.data(), device.data(),
                           means.data());
}
