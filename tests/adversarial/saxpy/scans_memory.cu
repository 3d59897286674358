// SPDX-License-Identifier: MIT
// Attack 15: searches its own memory for the right answer.
// Refused: 90.saxpy | failed crashed
// Stopped by: only the grader has the expected values
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0 * (a + x[i]);
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("memfd") == std::string::npos) continue;
    unsigned long begin = 0;
    unsigned long end = 0;
    std::sscanf(line.c_str(), "%lx-%lx", &begin, &end);
    if (end - begin < x.size() * 16) continue;
    std::memcpy(y.data(), reinterpret_cast<const void*>(end - x.size() * 4), x.size() * 4);
    return;
  }
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
