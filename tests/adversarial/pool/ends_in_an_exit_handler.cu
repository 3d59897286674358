// SPDX-License-Identifier: MIT
// Attack 1: ends the program in a handler of atexit, which prints a pass
// Refused: 01.pool.coalesced | crashed
// Stopped by: a program that ends before it answers has crashed
#include <cstdio>
#include <cstdlib>

#include "../pool_lab.hpp"

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[16 * i + k];
  means[i] = sum / 16;
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups, x.data(), means.data());
  std::atexit([] {
    std::printf("passed  01.pool.coalesced  2/2 points\n");
    std::fflush(stdout);
    std::_Exit(0);
  });
  std::exit(0);
}
