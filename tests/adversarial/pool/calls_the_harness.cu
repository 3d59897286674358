// SPDX-License-Identifier: MIT
// Attack 25: hides its loads in a function of the harness
// Refused: 01.pool.coalesced | failed
// Stopped by: a kernel may call what a GPU has: maths, memcpy, printf
#include <cstddef>

#include "gpu/gpu.hpp"
#include "harness/element.hpp"
#include "harness/lab.hpp"

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float sum = 0;
  for (int k = 0; k < 16; ++k) {
    const auto* place = reinterpret_cast<const std::byte*>(x + 16 * i + k);
    sum += static_cast<float>(harness::read_element(harness::Element::kF32, place));
  }
  means[i] = sum / 16;
}

#include "../pool_host_side.hpp"
