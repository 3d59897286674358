// SPDX-License-Identifier: MIT
// Attack 25: hides its loads in a function of the C library that it calls through a pointer
// Refused: 01.pool.coalesced | failed
// Stopped by: a kernel may call functions by their names only
#include <cstring>

#include "../pool_lab.hpp"

using Copy = void* (*)(void*, const void*, std::size_t);

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  Copy copy = mempcpy;
  float own[16];
  copy(own, x + 16 * i, sizeof own);
  float sum = 0;
  for (const float number : own) sum += number;
  means[i] = sum / 16;
}

#include "../pool_host_side.hpp"
