// SPDX-License-Identifier: MIT
// Attack 25: finds out its numbers by comparing bytes with memcmp
// Refused: 01.pool.coalesced | failed
// Stopped by: library calls that read memory are counted
#include <cstring>

#include "../pool_lab.hpp"

__device__ unsigned char byte_at(const unsigned char* at) {
  unsigned char found = 0;
  for (int bit = 128; bit > 0; bit /= 2) {
    const auto tried = static_cast<unsigned char>(found | bit);
    if (std::memcmp(at, &tried, 1) >= 0) found = tried;
  }
  return found;
}

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    unsigned char bytes[sizeof(float)];
    const auto* at = reinterpret_cast<const unsigned char*>(x + 16 * i + k);
    for (std::size_t b = 0; b < sizeof bytes; ++b) bytes[b] = byte_at(at + b);
    float number;
    std::memcpy(&number, bytes, sizeof number);
    sum += number;
  }
  means[i] = sum / 16;
}

#include "../pool_host_side.hpp"
