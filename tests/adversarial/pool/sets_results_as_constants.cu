// SPDX-License-Identifier: MIT
// Attack 22: computes on the host, and hands its kernel the results in __constant__ memory
// Refused: 01.pool.kernel | failed
// Stopped by: what goes to the device as constants is counted
#include <algorithm>
#include <span>
#include <vector>

#include "../pool_look.hpp"

constexpr std::size_t kPiece = 4096;
__constant__ float piece[kPiece];

__global__ void place(std::int64_t groups, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < groups) means[i] = piece[i];
}

/// The means, computed by the host.
std::vector<float> means_of(gpu::DeviceSpan<const float> x) {
  std::vector<float> in(x.size()), means(x.size() / 16);
  gpu::copy_to_host(std::span<float>(in), x);
  for (std::size_t i = 0; i < in.size(); ++i) means[i / 16] += in[i] / 16;
  return means;
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  look(x, means);
  const std::vector<float> results = means_of(x);
  static float host[kPiece];
  for (std::size_t first = 0; first < means.size(); first += kPiece) {
    const std::size_t count = std::min(kPiece, means.size() - first);
    std::copy_n(results.data() + first, count, host);
    gpu::set_constant(piece, host);
    gpu::launch<place>(gpu::blocks_for(static_cast<std::int64_t>(count), 128), 128,
                       static_cast<std::int64_t>(count), means.data() + first);
  }
}
