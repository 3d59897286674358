// SPDX-License-Identifier: MIT
// Attack 37: writes around its arrays, and the same to the memory that it shares with the grader.
// Refused: 90.saxpy | failed crashed
// Stopped by: only the grader keeps what lies around arrays; the checked run sees every
// access
#include <cstdio>
#include <cstring>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr std::int64_t kAround = 8;

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n + kAround) y[i] = a * x[i] + y[i];
}

/// Replaces the old numbers by the new ones wherever shared memory holds them.
void replace(const float* before, const float* after) {
  constexpr std::size_t kBytes = kAround * sizeof(float);
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return;
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    unsigned long begin = 0, end = 0;
    if (std::sscanf(line, "%lx-%lx rw-s", &begin, &end) != 2) continue;
    if (std::strstr(line, "rw-s") == nullptr) continue;
    for (unsigned long at = begin; at + kBytes <= end; at += sizeof(float)) {
      void* place = reinterpret_cast<void*>(at);
      if (std::memcmp(place, before, kBytes) == 0) std::memcpy(place, after, kBytes);
    }
  }
  std::fclose(maps);
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  float before[kAround];
  std::memcpy(before, y.data() + n, sizeof before);
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + kAround + 255) / 256)), dim3(256), n, a,
                            x.data(), y.data());
  gpu::synchronize();
  replace(before, y.data() + n);
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
