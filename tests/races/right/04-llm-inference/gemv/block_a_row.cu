// SPDX-License-Identifier: MIT
// A matrix-vector product with one block per row, which adds up in shared memory.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 256;

__global__ void gemv_kernel(std::int64_t columns, const float* __restrict__ w,
                            const float* __restrict__ x, float* __restrict__ y) {
  __shared__ float part[kThreads];
  const float* row = w + blockIdx.x * columns;
  // If the length is not a multiple, not all rows start at a multiple of 16 bytes.
  const std::int64_t quads = columns % 4 == 0 ? columns / 4 : 0;
  float sum = 0;
#pragma unroll 8
  for (std::int64_t q = threadIdx.x; q < quads; q += kThreads) {
    const float4 weights = reinterpret_cast<const float4*>(row)[q];
    const float4 inputs = reinterpret_cast<const float4*>(x)[q];
    sum +=
        weights.x * inputs.x + weights.y * inputs.y + weights.z * inputs.z + weights.w * inputs.w;
  }
  for (std::int64_t c = 4 * quads + threadIdx.x; c < columns; c += kThreads) sum += row[c] * x[c];
  part[threadIdx.x] = sum;
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}

void gemv(gpu::DeviceSpan<const float> w, gpu::DeviceSpan<const float> x,
          gpu::DeviceSpan<float> y) {
  const auto rows = static_cast<unsigned>(y.size());
  if (rows == 0) return;
  gpu::launch<gemv_kernel>(rows, kThreads, static_cast<std::int64_t>(x.size()), w.data(), x.data(),
                           y.data());
}

HARNESS_LAB(gemv, {.flops_per_element = 2, .bytes_per_element = 4})
