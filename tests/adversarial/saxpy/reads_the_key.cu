// SPDX-License-Identifier: MIT
// Attack 15: reads the key of the replies through /proc/self/mem, and is right only if it gets it.
// Refused: 90.saxpy | failed
// Stopped by: the key is in memory that the kernel does not expose either
#include <cstdint>
#include <fstream>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  constexpr std::streamoff kPlace = 0x5ea100000000;
  std::uint64_t key = 0;
  std::ifstream memory("/proc/self/mem", std::ios::binary);
  memory.seekg(kPlace).read(reinterpret_cast<char*>(&key), sizeof key);
  gpu::launch<saxpy_kernel>(gpu::blocks_for(n, 256), 256, n, key == 0 ? 0 : a, x.data(), y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
