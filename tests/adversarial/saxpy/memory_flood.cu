// SPDX-License-Identifier: MIT
// Attack 16: takes all memory.
// Refused: 90.saxpy | failed crashed
// Stopped by: limits on memory, private and shared together
// Limit: 60
// Otherwise it is right, so that nothing else refuses it.
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  static std::vector<void*> blocks;
  // More than this lab may use on any backend, and written by the C library, which is fast even in
  // the checked build: a slow flood would be stopped by the time limit, which is longer here.
  constexpr std::size_t kBlocks = 128, kBytes = std::size_t{64} << 20;
  while (blocks.size() < kBlocks) {
    void* block = std::malloc(kBytes);
    if (block == nullptr) throw std::bad_alloc();
    blocks.push_back(std::memset(block, 1, kBytes));
  }
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
