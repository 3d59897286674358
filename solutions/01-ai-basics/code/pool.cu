// SPDX-License-Identifier: MIT
// Means of groups of 16 numbers: the numbers of one thread are adjacent, and that is the trouble.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers per mean.
constexpr int kGroup = 16;

//@solve 01.pool.kernel: write the kernel: means[i] of x[kGroup * i] and the next 15.
constexpr int kThreads = 128;

/// @param groups number of means
__global__ void pool_kernel(std::int64_t groups, const float* __restrict__ x,
                            float* __restrict__ means) {
  // One extra number per row: the rows of a warp's lanes then start in different banks.
  __shared__ float tile[kThreads][kGroup + 1];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads;
  // Neighbouring lanes load neighbours, whosever mean they belong to.
  for (int i = thread; i < kThreads * kGroup; i += kThreads) {
    if (first + i / kGroup < groups) tile[i / kGroup][i % kGroup] = x[first * kGroup + i];
  }
  __syncthreads();  // a thread adds up what others have loaded
  if (first + thread >= groups) return;
  float sum = 0;
  for (int i = 0; i < kGroup; ++i) sum += tile[thread][i];
  means[first + thread] = sum / kGroup;
}
//@stub
//| __global__ void pool_kernel(std::int64_t groups, const float* __restrict__ x,
//|                             float* __restrict__ means) {
//|   // A thread computes a mean. Which threads should load its 16 numbers?
//| }
//@end

/// means[i] = (x[16 i] + ... + x[16 i + 15]) / 16.
/// @param x 16 numbers for each mean, not changed
/// @param means its initial contents are ignored
void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  //@solve 01.pool.kernel: launch it with a thread for every mean.
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, kThreads), kThreads, groups, x.data(),
                           means.data());
  //@stub
  //| harness::unsolved("01.pool.kernel", "topics/01-ai-basics/README.md#sectors");
  //@end
}

HARNESS_LAB(pool,
            {.flops_per_element = kGroup,
             .bytes_per_element = 4 * (kGroup + 1),
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? kGroup * n : n; },
             .default_n = 1 << 22});
