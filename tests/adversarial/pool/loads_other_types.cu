// SPDX-License-Identifier: MIT
// Attack 25: loads pairs of numbers as 64-bit integers
// Refused: 01.pool.coalesced | failed
// Stopped by: accesses of every type are counted
#include <bit>

#include "../pool_lab.hpp"

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    const std::uint64_t pair = reinterpret_cast<const std::uint64_t*>(x + 16 * i)[k];
    sum += std::bit_cast<float>(static_cast<std::uint32_t>(pair));
    sum += std::bit_cast<float>(static_cast<std::uint32_t>(pair >> 32));
  }
  means[i] = sum / 16;
}

#include "../pool_host_side.hpp"
