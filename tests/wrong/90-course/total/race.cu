// SPDX-License-Identifier: MIT
// Threads read what others have not written yet: a barrier is missing.
// Refused: 90.total | failed | data race in shared memory
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void total_kernel(std::int64_t n, const float* x, float* total) {
  __shared__ float part[256];
  const unsigned me = threadIdx.x;
  float sum = 0;
  for (std::int64_t i = me; i < n; i += 256) sum += x[i];
  if (me == 0) total[0] = sum + part[255];
  part[me] = sum;
  __syncthreads();
}

void total(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> result) {
  gpu::launch<total_kernel>(dim3(1), dim3(256), static_cast<std::int64_t>(x.size()), x.data(),
                            result.data());
}

HARNESS_LAB(total, {.flops_per_element = 1, .bytes_per_element = 4})
