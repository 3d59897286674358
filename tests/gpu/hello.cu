// SPDX-License-Identifier: MIT
// The smallest kernels, run through every host function that the labs use.
#include <cstdint>
#include <vector>

#include "gpu/gpu.hpp"
#include "hello.hpp"

//! [saxpy]
__global__ void saxpy(std::int64_t n, float a, const float* __restrict__ x, float* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}

std::vector<float> run_saxpy(float a, const std::vector<float>& x, const std::vector<float>& y) {
  const auto n = static_cast<std::int64_t>(x.size());
  const auto device_x = gpu::to_device(x);
  auto device_y = gpu::to_device(y);
  gpu::launch<saxpy>(gpu::blocks_for(n, 256), 256, n, a, device_x.data(), device_y.data());
  return gpu::to_host(device_y);
}
//! [saxpy]

__global__ void reverse_block(int n, int* values) {
  __shared__ int tile[256];
  const int i = threadIdx.x;
  if (i < n) tile[i] = values[i];
  __syncthreads();
  if (i < n) values[i] = tile[n - 1 - i];
}

std::vector<int> run_reverse_block(std::vector<int> values) {
  auto device = gpu::to_device(values);
  gpu::launch<reverse_block>(gpu::LaunchConfig{.grid = 1, .block = 256},
                             static_cast<int>(values.size()), device.data());
  gpu::synchronize();
  gpu::copy_to_host(values, device);
  return values;
}
