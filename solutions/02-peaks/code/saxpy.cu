// SPDX-License-Identifier: MIT
// SAXPY, y = a*x + y: two FLOPs and twelve bytes per element, a first look at memory bandwidth.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

//@solve 02.saxpy.kernel: write the kernel, so that every y[i] with i < n is updated once.
constexpr int kThreads = 256;
constexpr int kElementsPerThread = 4;

__global__ void saxpy_kernel(std::int64_t n, float a, const float* __restrict__ x,
                             float* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  // Sixteen bytes per load: a quarter of the requests for the same bytes in flight, which are what
  // hides the memory's latency on a GPU.
  if (i < n / kElementsPerThread) {
    const float4 x_part = reinterpret_cast<const float4*>(x)[i];
    float4 y_part = reinterpret_cast<const float4*>(y)[i];
    y_part.x = fmaf(a, x_part.x, y_part.x);
    y_part.y = fmaf(a, x_part.y, y_part.y);
    y_part.z = fmaf(a, x_part.z, y_part.z);
    y_part.w = fmaf(a, x_part.w, y_part.w);
    reinterpret_cast<float4*>(y)[i] = y_part;
  }
  // The last elements, if n is not a multiple of four: the first threads take one each.
  if (i < n % kElementsPerThread) {
    const std::int64_t last = n - 1 - i;
    y[last] = fmaf(a, x[last], y[last]);
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
  const std::int64_t threads = (n + kElementsPerThread - 1) / kElementsPerThread;
  const auto blocks = static_cast<unsigned>((threads + kThreads - 1) / kThreads);
  gpu::launch<saxpy_kernel>(blocks, kThreads, n, a, x.data(), y.data());
  //@stub
  //| harness::unsolved("02.saxpy.kernel", "topics/02-peaks/README.md#saxpy");
  //@end
}

HARNESS_LAB(saxpy, {.flops_per_element = 2,
                    .bytes_per_element = 12,
                    .default_n = 1 << 26,
                    .beyond_caches = true});
