// SPDX-License-Identifier: MIT
// For attacks on 01.pool that get at the numbers in another way: loads them once more as the
// exercise asks for.
#pragma once

#include "pool_lab.hpp"

__global__ void look_kernel(std::int64_t pairs, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < pairs && reinterpret_cast<const double*>(x)[i] == 12345) means[0] = 0;
}

/// Loads every number in whole sectors, so that no bytes are missing.
inline void look(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto pairs = static_cast<std::int64_t>(x.size() / 2);
  gpu::launch<look_kernel>(gpu::blocks_for(pairs, 128), 128, pairs, x.data(), means.data());
}
