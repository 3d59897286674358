// SPDX-License-Identifier: MIT
// Counts how often each value occurs: all threads update the same few counters.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Possible values: 0 to kBins - 1.
constexpr int kBins = 256;

// TODO(03.histogram.kernel): write the kernel that adds to the counters.
__global__ void histogram_kernel(std::int64_t n, const std::int32_t* __restrict__ values,
                                 std::int32_t* __restrict__ counts) {
  // atomicAdd(&counts[value], 1) is correct. How many of them are there?
}
// END TODO(03.histogram.kernel)

/// counts[v] = how many of the values are v.
/// @param values n numbers, 0 to kBins - 1, not changed
/// @param counts kBins numbers; its initial contents are ignored
void histogram(gpu::DeviceSpan<const std::int32_t> values, gpu::DeviceSpan<std::int32_t> counts) {
  // TODO(03.histogram.kernel): clear the counters, then launch the kernel.
  harness::unsolved("03.histogram.kernel", "topics/03-roofline-modeling/README.md#histogram");
  // END TODO(03.histogram.kernel)
}

HARNESS_LAB(histogram,
            {.bytes_per_element = 4,
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : kBins; },
             .default_n = 1 << 26});
