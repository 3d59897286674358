// SPDX-License-Identifier: MIT
// Sums of sequences of different lengths, packed one after the other: a warp is as slow as its
// slowest lane.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

// TODO(03.ragged.kernel): write the kernel: sums[s] of the numbers starts[s] to starts[s + 1] - 1.
__global__ void ragged_kernel(std::int64_t sequences, const std::int32_t* __restrict__ starts,
                              const float* __restrict__ x, float* __restrict__ sums) {
  // How long does a warp run whose lanes have sequences of 3 and of 500 numbers?
}
// END TODO(03.ragged.kernel)

/// sums[s] = x[starts[s]] + ... + x[starts[s + 1] - 1], 0 for an empty sequence.
/// @param starts one more number than there are sequences, in ascending order; not changed
/// @param x the numbers of all sequences, not changed
/// @param sums its initial contents are ignored
void ragged(gpu::DeviceSpan<const std::int32_t> starts, gpu::DeviceSpan<const float> x,
            gpu::DeviceSpan<float> sums) {
  // TODO(03.ragged.kernel): launch it for all sequences.
  harness::unsolved("03.ragged.kernel", "topics/03-roofline-modeling/README.md#ragged");
  // END TODO(03.ragged.kernel)
}

// Run by itself, the program adds up sequences of 0 to 510 numbers, 255 on average.
constexpr std::int64_t kMean = 255;
HARNESS_LAB(ragged,
            {.flops_per_element = kMean,
             .bytes_per_element = 4 * kMean + 8,
             .buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
               if (buffer == 0) return n + 1;
               return buffer == 1 ? kMean * n : n;
             },
             // Lengths alternate around the mean, and the first start and the last are exact.
             .integer_element =
                 [](std::int64_t n, int, std::int64_t index) {
                   const std::int64_t shift = index % 2 == 0 ? 0 : index * 37 % kMean;
                   return index == n ? kMean * n : kMean * index + shift;
                 },
             .default_n = 1 << 18});
