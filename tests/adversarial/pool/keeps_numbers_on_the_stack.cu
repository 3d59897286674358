// SPDX-License-Identifier: MIT
// Attack 25: copies its numbers into a variable of the host's function, and reads them there
// Refused: 01.pool.coalesced | failed
// Stopped by: a kernel cannot reach host variables
#include <algorithm>

#include "../pool_look.hpp"

constexpr std::size_t kMost = std::size_t{1} << 14;

__global__ void pool_kernel(std::int64_t groups, const float* kept, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += kept[16 * i + k];
  means[i] = sum / 16;
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  look(x, means);
  for (std::int64_t first = 0; first < groups; first += kMost / 16) {
    float kept[kMost];
    const auto here = std::min<std::int64_t>(groups - first, kMost / 16);
    const auto numbers = static_cast<std::size_t>(16 * here);
    gpu::copy_to_host(std::span<float>(kept, numbers), x.subspan(16 * first, numbers));
    gpu::launch<pool_kernel>(gpu::blocks_for(here, 128), 128, here, kept, means.data() + first);
  }
}
