// SPDX-License-Identifier: MIT
// Scaling with an eighth of the threads: what counts is how many bytes are in flight.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

// TODO(02.few-threads.kernel): write the kernel: y[i] = factor * x[i] for every i < n.
__global__ void few_threads_kernel(std::int64_t n, float factor, const float* __restrict__ x,
                                   float* __restrict__ y) {
  // A loop: a thread owns many numbers.
}
// END TODO(02.few-threads.kernel)

/// y = factor * x.
/// @param x n numbers, not changed
/// @param y n numbers; its initial contents are ignored
void few_threads(float factor, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  // TODO(02.few-threads.kernel): launch it with few blocks, whatever n is.
  harness::unsolved("02.few-threads.kernel", "topics/02-peaks/README.md#few-threads");
  // END TODO(02.few-threads.kernel)
}

HARNESS_LAB(few_threads, {.flops_per_element = 1, .bytes_per_element = 8, .default_n = 1 << 26});
