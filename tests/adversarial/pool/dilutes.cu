// SPDX-License-Identifier: MIT
// Attack 25: adds loads that waste nothing, to bring the average down
// Refused: 01.pool.coalesced | failed
// Stopped by: limits apply to the total, not to an average
#include "../pool_lab.hpp"

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += x[16 * i + k];
  means[i] = sum / 16;
  for (int k = 0; k < 256; ++k) {
    if (x[(i + k) % groups] == 12345) means[i] = 0;
  }
}

#include "../pool_host_side.hpp"
