// SPDX-License-Identifier: MIT
// Leaves the result as it was.
// Refused: 90.total | failed | result was not written at element 0: should be 0
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void total_kernel(std::int64_t n, const float* x, float* total) {
  __shared__ float part[256];
  part[threadIdx.x] = n > 0 ? x[0] : 0.0F;
  __syncthreads();
  if (part[0] > 2.0F) total[0] = part[0];
}

void total(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> result) {
  gpu::launch<total_kernel>(dim3(1), dim3(256), static_cast<std::int64_t>(x.size()), x.data(),
                            result.data());
}

HARNESS_LAB(total, {.flops_per_element = 1, .bytes_per_element = 4})
