// SPDX-License-Identifier: MIT
// Attack 25: hides its loads in memcpy
// Refused: 01.pool.coalesced | failed
// Stopped by: library calls that move memory are counted
#include <cstring>

#include "../pool_lab.hpp"

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float own[16];
  std::memcpy(own, x + 16 * i, sizeof own);
  float sum = 0;
  for (const float number : own) sum += number;
  means[i] = sum / 16;
}

#include "../pool_host_side.hpp"
