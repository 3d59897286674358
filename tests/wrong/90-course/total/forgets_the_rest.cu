// SPDX-License-Identifier: MIT
// Adds the first 256 elements only.
// Refused: 90.total | failed | wrong for n = 257
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void total_kernel(std::int64_t n, const float* x, float* total) {
  __shared__ float part[256];
  part[threadIdx.x] = static_cast<std::int64_t>(threadIdx.x) < n ? x[threadIdx.x] : 0.0F;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 256; ++i) sum += part[i];
  if (threadIdx.x == 0) total[0] = sum;
}

void total(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> result) {
  gpu::launch<total_kernel>(dim3(1), dim3(256), static_cast<std::int64_t>(x.size()), x.data(),
                            result.data());
}

HARNESS_LAB(total, {.flops_per_element = 1, .bytes_per_element = 4})
