// SPDX-License-Identifier: MIT
// Attack 25: hides its loads in std::copy
// Refused: 01.pool.coalesced | failed
// Stopped by: library calls that move memory are counted
#include <algorithm>

#include "../pool_lab.hpp"

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float own[16];
  std::copy(x + 16 * i, x + 16 * i + 16, own);
  float sum = 0;
  for (const float number : own) sum += number;
  means[i] = sum / 16;
}

#include "../pool_host_side.hpp"
