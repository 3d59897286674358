// SPDX-License-Identifier: MIT
// Means of groups of 16 numbers: the numbers of one thread are adjacent, and that is the trouble.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers per mean.
constexpr int kGroup = 16;

// TODO(01.pool.kernel): write the kernel: means[i] of x[kGroup * i] and the next 15.
__global__ void pool_kernel(std::int64_t groups, const float* __restrict__ x,
                            float* __restrict__ means) {
  // A thread computes a mean. Which threads should load its 16 numbers?
}
// END TODO(01.pool.kernel)

/// means[i] = (x[16 i] + ... + x[16 i + 15]) / 16.
/// @param x 16 numbers for each mean, not changed
/// @param means its initial contents are ignored
void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  // TODO(01.pool.kernel): launch it with a thread for every mean.
  harness::unsolved("01.pool.kernel", "topics/01-ai-basics/README.md#sectors");
  // END TODO(01.pool.kernel)
}

HARNESS_LAB(pool,
            {.flops_per_element = kGroup,
             .bytes_per_element = 4 * (kGroup + 1),
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? kGroup * n : n; },
             .default_n = 1 << 22});
