// SPDX-License-Identifier: MIT
// Attack 25: loads the numbers of a mean as one structure of 64 bytes
// Refused: 01.pool.coalesced | failed
// Stopped by: a lane loads at most 16 bytes at a time
#include "../pool_lab.hpp"

struct Group {
  float numbers[16];
};

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  const Group own = reinterpret_cast<const Group*>(x)[i];
  float sum = 0;
  for (const float number : own.numbers) sum += number;
  means[i] = sum / 16;
}

#include "../pool_host_side.hpp"
