// SPDX-License-Identifier: MIT
// Scaling with an eighth of the threads: what counts is how many bytes are in flight.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

//@solve 02.few-threads.kernel: write the kernel: y[i] = factor * x[i] for every i < n.
constexpr int kThreads = 256;
constexpr unsigned kBlocks = 132;  // one per multiprocessor of an H200
constexpr std::int64_t kQuad = 4;  // numbers per access

__global__ void few_threads_kernel(std::int64_t n, float factor, const float* __restrict__ x,
                                   float* __restrict__ y) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  const std::int64_t quads = n / kQuad;
  // 16 bytes per lane: four times the bytes in flight with the same number of loads.
  const auto* from = reinterpret_cast<const float4*>(x);
  auto* to = reinterpret_cast<float4*>(y);
  for (std::int64_t i = thread; i < quads; i += threads) {
    const float4 quad = from[i];
    to[i] = make_float4(factor * quad.x, factor * quad.y, factor * quad.z, factor * quad.w);
  }
  const std::int64_t last = quads * kQuad + thread;
  if (last < n) y[last] = factor * x[last];
}
//@stub
//| __global__ void few_threads_kernel(std::int64_t n, float factor, const float* __restrict__ x,
//|                                    float* __restrict__ y) {
//|   // A loop: a thread owns many numbers.
//| }
//@end

/// y = factor * x.
/// @param x n numbers, not changed
/// @param y n numbers; its initial contents are ignored
void few_threads(float factor, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  //@solve 02.few-threads.kernel: launch it with few blocks, whatever n is.
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  gpu::launch<few_threads_kernel>(kBlocks, kThreads, n, factor, x.data(), y.data());
  //@stub
  //| harness::unsolved("02.few-threads.kernel", "topics/02-peaks/README.md#few-threads");
  //@end
}

HARNESS_LAB(few_threads, {.flops_per_element = 1, .bytes_per_element = 8, .default_n = 1 << 26});
