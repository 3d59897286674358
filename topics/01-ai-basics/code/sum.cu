// SPDX-License-Identifier: MIT
// The sum of an array: one addition for every four bytes, and a tree at the end.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

// TODO(01.sum.kernel): write the kernel, so that total[0] becomes the sum of all x[i].
template <class T>
__global__ void sum_kernel(std::int64_t n, const T* __restrict__ x, T* __restrict__ total) {
  // A sum per thread, then a tree per block, then one atomicAdd per block.
}
// END TODO(01.sum.kernel)

/// total[0] = sum of x; 0 when x is empty.
/// @param x n values, not changed
/// @param total one value; its initial contents are ignored
template <class T>
void sum(gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> total) {
  // TODO(01.sum.kernel): clear total[0], then launch the kernel for n = x.size() elements.
  harness::unsolved("01.sum.kernel", "topics/01-ai-basics/README.md#sum");
  // END TODO(01.sum.kernel)
}

HARNESS_COUNTED_LAB(sum, float,
                    {.flops_per_element = 1,
                     .bytes_per_element = 4,
                     .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : 1; },
                     .default_n = 1 << 27,
                     .beyond_caches = true});
