// SPDX-License-Identifier: MIT
// Attack 28: leaves its kernel by longjmp when the results are there
// Refused: 01.pool.coalesced | failed crashed
// Stopped by: the launch never ends, and the program is stopped
#include <csetjmp>

#include "../pool_lab.hpp"

static std::jmp_buf host;

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[16 * i + k];
  means[i] = sum / 16;
  if (i == groups - 1) std::longjmp(host, 1);
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0 || setjmp(host) != 0) return;
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups, x.data(), means.data());
}
