// SPDX-License-Identifier: MIT
// Differences of neighbours: the number that a thread lacks has already been loaded by the adjacent
// lane, and is in one of its registers.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

// TODO(02.differences.kernel): write the kernel: y[i] = x[i + 1] - x[i] for every i < n.
__global__ void differences_kernel(std::int64_t n, const float* __restrict__ x,
                                   float* __restrict__ y) {
  // Who has loaded x[i + 1] already?
}
// END TODO(02.differences.kernel)

/// y[i] = x[i + 1] - x[i].
/// @param x n + 1 numbers, not changed
/// @param y n numbers; its initial contents are ignored
void differences(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  // TODO(02.differences.kernel): launch it with a thread for every difference.
  harness::unsolved("02.differences.kernel", "topics/02-peaks/README.md#differences");
  // END TODO(02.differences.kernel)
}

HARNESS_LAB(differences,
            {.flops_per_element = 1,
             .bytes_per_element = 8,
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n + 1 : n; },
             .default_n = 1 << 26});
