// SPDX-License-Identifier: MIT
// The fused chain with sixteen-byte loads, written out.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 512;

__global__ void fused_chain_kernel(std::int64_t n, float s, const float* __restrict__ b,
                                   const float* __restrict__ g, float* __restrict__ x) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    const float4 b_part = reinterpret_cast<const float4*>(b)[i];
    const float4 g_part = reinterpret_cast<const float4*>(g)[i];
    float4 x_part = reinterpret_cast<const float4*>(x)[i];
    x_part.x = (s * x_part.x + b_part.x) * g_part.x;
    x_part.y = (s * x_part.y + b_part.y) * g_part.y;
    x_part.z = (s * x_part.z + b_part.z) * g_part.z;
    x_part.w = (s * x_part.w + b_part.w) * g_part.w;
    reinterpret_cast<float4*>(x)[i] = x_part;
  }
  if (i < n % 4) x[n - 1 - i] = (s * x[n - 1 - i] + b[n - 1 - i]) * g[n - 1 - i];
}

void fused_chain(float s, gpu::DeviceSpan<const float> b, gpu::DeviceSpan<const float> g,
                 gpu::DeviceSpan<float> x) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<fused_chain_kernel>(gpu::blocks_for(n / 4 + 4, kThreads), kThreads, n, s, b.data(),
                                  g.data(), x.data());
}

HARNESS_LAB(fused_chain, {.flops_per_element = 3, .bytes_per_element = 16})
