// SPDX-License-Identifier: MIT
// Counts how often each value occurs: all threads update the same few counters.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Possible values: 0 to kBins - 1.
constexpr int kBins = 256;

//@solve 03.histogram.kernel: write the kernel that adds to the counters.
constexpr int kThreads = 256;
constexpr std::int64_t kMostBlocks = 264;

__global__ void histogram_kernel(std::int64_t n, const std::int32_t* __restrict__ values,
                                 std::int32_t* __restrict__ counts) {
  // The block's own counters keep the updates on the multiprocessor.
  __shared__ std::int32_t own[kBins];
  for (int bin = static_cast<int>(threadIdx.x); bin < kBins; bin += kThreads) own[bin] = 0;
  __syncthreads();  // no thread may add to a counter before it is 0
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
    atomicAdd(&own[values[i]], 1);
  }
  __syncthreads();  // all of the block's values are counted
  for (int bin = static_cast<int>(threadIdx.x); bin < kBins; bin += kThreads) {
    if (own[bin] > 0) atomicAdd(&counts[bin], own[bin]);
  }
}
//@stub
//| __global__ void histogram_kernel(std::int64_t n, const std::int32_t* __restrict__ values,
//|                                  std::int32_t* __restrict__ counts) {
//|   // atomicAdd(&counts[value], 1) is correct. How many of them are there?
//| }
//@end

/// counts[v] = how many of the values are v.
/// @param values n numbers, 0 to kBins - 1, not changed
/// @param counts kBins numbers; its initial contents are ignored
void histogram(gpu::DeviceSpan<const std::int32_t> values, gpu::DeviceSpan<std::int32_t> counts) {
  //@solve 03.histogram.kernel: clear the counters, then launch the kernel.
  const auto n = static_cast<std::int64_t>(values.size());
  gpu::fill_bytes(counts, 0);
  if (n == 0) return;
  const std::int64_t needed = gpu::blocks_for(n, kThreads);
  const auto blocks = static_cast<unsigned>(needed < kMostBlocks ? needed : kMostBlocks);
  gpu::launch<histogram_kernel>(blocks, kThreads, n, values.data(), counts.data());
  //@stub
  //| harness::unsolved("03.histogram.kernel", "topics/03-roofline-modeling/README.md#histogram");
  //@end
}

HARNESS_LAB(histogram,
            {.bytes_per_element = 4,
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : kBins; },
             .default_n = 1 << 26});
