// SPDX-License-Identifier: MIT
// Four lanes share a mean: each loads 16 bytes, and shuffles add up.
// Earns: 01.pool.coalesced | within the limits
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers per mean.
constexpr int kGroup = 16;

__global__ void pool_kernel(std::int64_t groups, const float* __restrict__ x,
                            float* __restrict__ means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * 64 + threadIdx.x / 4;
  if (i - threadIdx.x / 4 >= groups) return;
  const float4 q = i < groups ? reinterpret_cast<const float4*>(x)[i * 4 + threadIdx.x % 4]
                              : make_float4(0, 0, 0, 0);
  float s = q.x + q.y + (q.z + q.w);
  s += __shfl_xor_sync(gpu::kFullMask, s, 1);
  s += __shfl_xor_sync(gpu::kFullMask, s, 2);
  if (threadIdx.x % 4 == 0 && i < groups) means[i] = s * 0.0625f;
}

/// means[i] = (x[16 i] + ... + x[16 i + 15]) / 16.
/// @param x 16 numbers for each mean, not changed
/// @param means its initial contents are ignored
void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 64), 256, groups, x.data(), means.data());
}

HARNESS_LAB(pool,
            {.flops_per_element = kGroup,
             .bytes_per_element = 4 * (kGroup + 1),
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? kGroup * n : n; },
             .default_n = 1 << 22});
