// SPDX-License-Identifier: MIT
// A read-only stream: the sum of an array. Reading weights and the KV cache looks like this.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

// TODO(02.sum.kernel): write the kernel. Every element is read once, by exactly one thread.
__global__ void sum_kernel(std::int64_t n, const double* __restrict__ x,
                           double* __restrict__ total) {
  // Several independent sums per thread, then one atomicAdd per block.
}
// END TODO(02.sum.kernel)

/// total[0] = the sum of x, 0 when x is empty. The initial value of total[0] is ignored.
void sum(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<double> total) {
  // TODO(02.sum.kernel): clear the total, then launch.
  harness::unsolved("02.sum.kernel", "topics/02-peaks/README.md#read");
  // END TODO(02.sum.kernel)
}

HARNESS_LAB(sum, {.flops_per_element = 1,
                  .bytes_per_element = 8,
                  .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : 1; },
                  .default_n = 1 << 26,
                  .beyond_caches = true});
