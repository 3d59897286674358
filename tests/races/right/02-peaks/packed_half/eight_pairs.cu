// SPDX-License-Identifier: MIT
// Packed multiply-adds in eight chains of pairs a thread.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 128;
constexpr int kPairs = 8;
constexpr int kSteps = 32;  // of each chain in a turn of the loop

__global__ void half_kernel(std::int64_t n, std::int64_t iterations, float a, float b,
                            const __half* __restrict__ x, __half* __restrict__ y) {
  const __half2 factor = __floats2half2_rn(a, a);
  const __half2 addend = __floats2half2_rn(b, b);
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads * kPairs + threadIdx.x;
  __half2 value[kPairs];
#pragma unroll
  for (int c = 0; c < kPairs; ++c) {
    const std::int64_t i = 2 * (first + c * kThreads);
    value[c] = __halves2half2(i < n ? x[i] : __float2half(0.0f),
                              i + 1 < n ? x[i + 1] : __float2half(0.0f));
  }
  std::int64_t k = 0;
  for (; k + kSteps <= iterations; k += kSteps) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
#pragma unroll
      for (int c = 0; c < kPairs; ++c) value[c] = __hfma2(value[c], factor, addend);
    }
  }
  for (; k < iterations; ++k) {
#pragma unroll
    for (int c = 0; c < kPairs; ++c) value[c] = __hfma2(value[c], factor, addend);
  }
#pragma unroll
  for (int c = 0; c < kPairs; ++c) {
    const std::int64_t i = 2 * (first + c * kThreads);
    if (i < n) y[i] = value[c].x;
    if (i + 1 < n) y[i + 1] = value[c].y;
  }
}

void packed_half(std::int64_t iterations, float a, float b, gpu::DeviceSpan<const __half> x,
                 gpu::DeviceSpan<__half> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::launch<half_kernel>(gpu::blocks_for((n + 1) / 2, kThreads * kPairs), kThreads, n, iterations,
                           a, b, x.data(), y.data());
}

HARNESS_LAB(packed_half, {.flops_per_element = 8192,
                          .bytes_per_element = 4,
                          .integer_scalar = [](std::int64_t, int) -> std::int64_t { return 4096; }})
