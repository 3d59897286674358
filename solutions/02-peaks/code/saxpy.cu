// SPDX-License-Identifier: MIT
// SAXPY, y = a*x + y: two FLOPs and twelve bytes an element, the first look at memory bandwidth.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

//@solve 02.saxpy.kernel: write the kernel, so that every y[i] with i < n is updated once.
constexpr int kThreads = 256;
constexpr int kElementsPerThread = 4;
constexpr int kTile = kThreads * kElementsPerThread;

__global__ void saxpy_kernel(std::int64_t n, float a, const float* __restrict__ x,
                             float* __restrict__ y) {
  const std::int64_t tile = std::int64_t{blockIdx.x} * kTile;
  const std::int64_t first = tile + threadIdx.x;
  if (tile + kTile <= n) {
    // All loads before the first store: eight requests in flight per thread hide the latency that
    // one element per thread leaves open.
    float x_part[kElementsPerThread];
    float y_part[kElementsPerThread];
#pragma unroll
    for (int k = 0; k < kElementsPerThread; ++k) {
      x_part[k] = x[first + k * kThreads];
      y_part[k] = y[first + k * kThreads];
    }
#pragma unroll
    for (int k = 0; k < kElementsPerThread; ++k) {
      y[first + k * kThreads] = fmaf(a, x_part[k], y_part[k]);
    }
  } else {
    for (std::int64_t i = first; i < n; i += kThreads) {
      y[i] = fmaf(a, x[i], y[i]);
    }
  }
}
//@stub
//| __global__ void saxpy_kernel(std::int64_t n, float a, const float* __restrict__ x,
//|                              float* __restrict__ y) {
//|   // blockIdx, blockDim and threadIdx say which elements are this thread's.
//| }
//@end

/// y = a*x + y, element by element, on the device.
/// @param a factor
/// @param x input, n floats, not changed
/// @param y input and output, n floats that do not overlap x
void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  //@solve 02.saxpy.kernel: launch it with enough threads for n = x.size() elements.
  const auto n = static_cast<std::int64_t>(x.size());
  const auto blocks = static_cast<unsigned>((n + kTile - 1) / kTile);
  gpu::launch<saxpy_kernel>(dim3(blocks), dim3(kThreads), n, a, x.data(), y.data());
  //@stub
  //| harness::unsolved("02.saxpy.kernel", "topics/02-peaks/README.md#saxpy");
  //@end
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12, .default_n = 1 << 26});
