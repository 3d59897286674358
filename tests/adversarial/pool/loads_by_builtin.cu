// SPDX-License-Identifier: MIT
// Attack 25: loads with a built-in function for one instruction of this processor
// Refused: 01.pool.coalesced | failed
// Stopped by: instructions whose accesses are not reported are refused
#include "../pool_look.hpp"

#if defined(__x86_64__)
using Bytes = char __attribute__((vector_size(16)));

__attribute__((target("sse3"))) __device__ void load(const float* from, float* own) {
  for (int pack = 0; pack < 4; ++pack) {
    const Bytes loaded = __builtin_ia32_lddqu(reinterpret_cast<const char*>(from + 4 * pack));
    __builtin_memcpy(own + 4 * pack, &loaded, sizeof(loaded));
  }
}
#else
__device__ void load(const float* from, float* own) {
  for (int k = 0; k < 16; ++k) own[k] = from[k];
}
#endif

__global__ void pool_kernel(std::int64_t groups, const float* x, float* means) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  float own[16];
  load(x + 16 * i, own);
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
