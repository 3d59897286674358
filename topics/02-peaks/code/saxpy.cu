// SPDX-License-Identifier: MIT
// SAXPY, y = a*x + y: two FLOPs and twelve bytes per element, a first look at memory bandwidth.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

// TODO(02.saxpy.kernel): write the kernel, so that every y[i] with i < n is updated once.
__global__ void saxpy_kernel(std::int64_t n, float a, const float* __restrict__ x,
                             float* __restrict__ y) {
  // blockIdx, blockDim and threadIdx say which elements are this thread's.
}
// END TODO(02.saxpy.kernel)

/// y = a*x + y, element by element, on the device.
/// @param a factor
/// @param x input, n floats, not changed
/// @param y input and output, n floats that do not overlap x
void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  // TODO(02.saxpy.kernel): launch it with enough threads for n = x.size() elements.
  harness::unsolved("02.saxpy.kernel", "topics/02-peaks/README.md#saxpy");
  // END TODO(02.saxpy.kernel)
}

HARNESS_LAB(saxpy, {.flops_per_element = 2,
                    .bytes_per_element = 12,
                    .default_n = 1 << 26,
                    .beyond_caches = true});
