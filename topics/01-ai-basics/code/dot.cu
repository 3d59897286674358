// SPDX-License-Identifier: MIT
// The dot product: one fused multiply-add for every eight bytes, and a tree at the end.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

// TODO(01.dot.kernel): write the kernel, so that result[0] becomes the sum of all x[i]*y[i].
template <class T>
__global__ void dot_kernel(std::int64_t n, const T* __restrict__ x, const T* __restrict__ y,
                           T* __restrict__ result) {
  // fmaf(a, b, c) is a*b + c in one step. Use one atomicAdd per block on result[0].
}
// END TODO(01.dot.kernel)

/// result[0] = sum of x[i]*y[i]; 0 when the arrays are empty.
/// @param x n values, not changed
/// @param y n values, not changed
/// @param result one value; its initial contents are ignored
template <class T>
void dot(gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y, gpu::DeviceSpan<T> result) {
  // TODO(01.dot.kernel): clear result[0], then launch the kernel for n = x.size() elements.
  harness::unsolved("01.dot.kernel", "topics/01-ai-basics/README.md#dot");
  // END TODO(01.dot.kernel)
}

HARNESS_COUNTED_LAB(dot, float,
                    {.flops_per_element = 2,
                     .bytes_per_element = 8,
                     .buffer_size = [](std::int64_t n, int buffer) { return buffer < 2 ? n : 1; },
                     .default_n = 1 << 26,
                     .beyond_caches = true});
