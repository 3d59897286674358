// SPDX-License-Identifier: MIT
// Attack 25: gathers with an instruction of this processor
// Refused: 01.pool.coalesced | failed
// Stopped by: instructions whose accesses are not reported are refused
#include "../pool_look.hpp"

#if defined(__x86_64__)
using Floats = float __attribute__((vector_size(32)));
using Places = int __attribute__((vector_size(32)));

__attribute__((target("avx2"))) __device__ void gather(const float* from, float* own) {
  const Places places = {0, 1, 2, 3, 4, 5, 6, 7};
  const Floats all = {-1, -1, -1, -1, -1, -1, -1, -1};
  for (int half = 0; half < 2; ++half) {
#ifdef __clang__
    const Floats loaded = __builtin_ia32_gatherd_ps256(all, from + 8 * half, places, all, 4);
#else
    const Floats loaded = __builtin_ia32_gathersiv8sf(all, from + 8 * half, places, all, 4);
#endif
    for (int k = 0; k < 8; ++k) own[8 * half + k] = loaded[k];
  }
}
#else
__device__ void gather(const float* from, float* own) {
  for (int k = 0; k < 16; ++k) own[k] = from[k];
}
#endif

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float own[16];
  gather(x + 16 * i, own);
  float sum = 0;
  for (const float number : own) sum += number;
  means[i] = sum / 16;
}

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  look(x, means);
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups, x.data(), means.data());
}
