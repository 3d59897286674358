// SPDX-License-Identifier: MIT
// Two kernels whose AMD machine code tests/gpu/check_isa.cmake inspects.
#include "gpu/gpu.hpp"

__global__ void scale_vectors(int n, float a, const float4* __restrict__ in,
                              float4* __restrict__ out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float4 v = in[i];
  v.x *= a;
  v.y *= a;
  v.z *= a;
  v.w *= a;
  out[i] = v;
}

__global__ void fma_chains(int steps, float a, float b, float* __restrict__ out) {
  constexpr int kChains = 8;
  float chain[kChains];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
  for (int c = 0; c < kChains; ++c) chain[c] = static_cast<float>(i + c);
  for (int step = 0; step < steps; ++step) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) chain[c] = fmaf(chain[c], a, b);
  }
  float sum = 0;
#pragma unroll
  for (int c = 0; c < kChains; ++c) sum += chain[c];
  out[i] = sum;
}
