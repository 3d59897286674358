// SPDX-License-Identifier: MIT
// The mean of many tokens' vectors: a sum down the columns of a tall matrix, brought to the roof.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers in a token's vector.
constexpr int kWidth = 1024;

// TODO(03.token-mean.kernel): write the kernel that adds up tokens.
__global__ void token_mean_kernel(std::int64_t tokens, const float* __restrict__ x,
                                  float* __restrict__ mean) {
  // One thread per column is correct. How many threads is that?
}
// END TODO(03.token-mean.kernel)

/// mean[c] = the sum of x[t][c] over all tokens t, divided by their number; 0 without tokens.
/// @param x tokens x kWidth, by rows, not changed
/// @param mean kWidth numbers; its initial contents are ignored
void token_mean(std::int64_t tokens, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> mean) {
  // TODO(03.token-mean.kernel): clear the means, then launch the kernel.
  harness::unsolved("03.token-mean.kernel", "topics/03-roofline-modeling/README.md#token-mean");
  // END TODO(03.token-mean.kernel)
}

HARNESS_LAB(token_mean,
            {.flops_per_element = kWidth,
             .bytes_per_element = 4 * kWidth,
             .buffer_size = [](std::int64_t n,
                               int buffer) { return buffer == 0 ? kWidth * n : kWidth; },
             .default_n = 1 << 16});
