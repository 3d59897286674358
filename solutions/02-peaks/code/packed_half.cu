// SPDX-License-Identifier: MIT
// Packed half precision: one instruction does two 16-bit multiply-adds.
#include <cstdint>
#include <span>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

//@solve 02.half.kernel: write the kernel with __half2, two elements in one register.
constexpr int kThreads = 256;
constexpr int kPairs = 16;  // independent chains of two elements
constexpr int kSteps = 16;  // steps per iteration of the loop

__global__ void half_kernel(std::int64_t n, std::int64_t iterations, float a, float b,
                            const __half* __restrict__ x, __half* __restrict__ y) {
  const std::int64_t pairs = (n + 1) / 2;
  const std::int64_t threads = (pairs + kPairs - 1) / kPairs;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  const __half2 factor = __floats2half2_rn(a, a);
  const __half2 addend = __floats2half2_rn(b, b);
  __half2 value[kPairs];
#pragma unroll
  for (int c = 0; c < kPairs; ++c) {
    const std::int64_t i = 2 * (thread + c * threads);
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
    const std::int64_t i = 2 * (thread + c * threads);
    if (i < n) y[i] = value[c].x;
    if (i + 1 < n) y[i + 1] = value[c].y;
  }
}
//@stub
//| __global__ void half_kernel(std::int64_t n, std::int64_t iterations, float a, float b,
//|                             const __half* __restrict__ x, __half* __restrict__ y) {
//|   // __hfma2(x, a, b) works on both halves of a __half2 at once. An odd n leaves one over.
//| }
//@end

/// y[i] = x[i] after `iterations` steps x <- x*a + b, each rounded to 16 bits. a and b are exact in
/// 16 bits.
void packed_half(std::int64_t iterations, float a, float b, gpu::DeviceSpan<const __half> x,
                 gpu::DeviceSpan<__half> y) {
  //@solve 02.half.kernel: launch it.
  const auto n = static_cast<std::int64_t>(x.size());
  const std::int64_t threads = ((n + 1) / 2 + kPairs - 1) / kPairs;
  gpu::launch<half_kernel>(gpu::blocks_for(threads, kThreads), kThreads, n, iterations, a, b,
                           x.data(), y.data());
  //@stub
  //| harness::unsolved("02.half.kernel", "topics/02-peaks/README.md#half");
  //@end
}

harness::Work half_work(std::int64_t n, std::span<const std::int64_t> integers) {
  const auto elements = static_cast<double>(n);
  return {2 * elements * static_cast<double>(integers[0]), 4 * elements};
}

HARNESS_LAB(packed_half, {.integer_scalar = [](std::int64_t, int) -> std::int64_t {
                            return gpu::Features::kIsGpu ? 4096 : 64;
                          },
                          .default_n = gpu::Features::kIsGpu ? 1 << 23 : 1 << 16,
                          .integer_names = {"iterations"},
                          .work_with = half_work});
