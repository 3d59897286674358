// SPDX-License-Identifier: MIT
// Right sum of the test course: one block, a tree in shared memory.
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void total_kernel(std::int64_t n, const float* x, float* total) {
  __shared__ float part[256];
  float sum = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += 256) sum += x[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int width = 128; width > 0; width /= 2) {
    if (static_cast<int>(threadIdx.x) < width) part[threadIdx.x] += part[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) total[0] = part[0];
}

void total(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> result) {
  gpu::launch<total_kernel>(dim3(1), dim3(256), static_cast<std::int64_t>(x.size()), x.data(),
                            result.data());
}

HARNESS_LAB(total, {.flops_per_element = 1, .bytes_per_element = 4})
