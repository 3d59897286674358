// SPDX-License-Identifier: MIT
// The mean of many tokens' vectors: a sum down the columns of a tall matrix, brought to the roof.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers in a token's vector.
constexpr int kWidth = 1024;

//@solve 03.token-mean.kernel: write the kernel that adds up tokens.
constexpr int kQuad = 4;                // numbers per access
constexpr int kQuads = kWidth / kQuad;  // threads that one token keeps busy
constexpr int kRows = 4;                // tokens that a block reads at a time
constexpr int kThreads = kRows * kQuads;
constexpr std::int64_t kMostBlocks = 132;  // one per multiprocessor of an H200

__global__ void token_mean_kernel(std::int64_t tokens, const float* __restrict__ x,
                                  float* __restrict__ mean) {
  __shared__ float4 parts[kRows][kQuads];
  const int thread = static_cast<int>(threadIdx.x);
  const int row = thread / kQuads;
  const int quad = thread % kQuads;
  const std::int64_t rows = std::int64_t{gridDim.x} * kRows;
  const auto* from = reinterpret_cast<const float4*>(x);
  float4 sum = make_float4(0, 0, 0, 0);
  for (std::int64_t t = std::int64_t{blockIdx.x} * kRows + row; t < tokens; t += rows) {
    const float4 next = from[t * kQuads + quad];
    sum.x += next.x;
    sum.y += next.y;
    sum.z += next.z;
    sum.w += next.w;
  }
  parts[row][quad] = sum;
  __syncthreads();  // the block's rows are added up next
  // Updates of a column are serialised: one per block, with adjacent ones side by side.
  float total = 0;
  for (const auto& part : parts) total += reinterpret_cast<const float*>(part)[thread];
  atomicAdd(&mean[thread], total / static_cast<float>(tokens));
}
static_assert(kThreads == kWidth);  // at the end each thread has a column
//@stub
//| __global__ void token_mean_kernel(std::int64_t tokens, const float* __restrict__ x,
//|                                   float* __restrict__ mean) {
//|   // One thread per column is correct. How many threads is that?
//| }
//@end

/// mean[c] = the sum of x[t][c] over all tokens t, divided by their number; 0 without tokens.
/// @param x tokens x kWidth, by rows, not changed
/// @param mean kWidth numbers; its initial contents are ignored
void token_mean(std::int64_t tokens, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> mean) {
  //@solve 03.token-mean.kernel: clear the means, then launch the kernel.
  gpu::fill_bytes(mean, 0);
  if (tokens == 0) return;
  const std::int64_t needed = gpu::blocks_for(tokens, kRows);
  const auto blocks = static_cast<unsigned>(needed < kMostBlocks ? needed : kMostBlocks);
  gpu::launch<token_mean_kernel>(blocks, kThreads, tokens, x.data(), mean.data());
  //@stub
  //| harness::unsolved("03.token-mean.kernel", "topics/03-roofline-modeling/README.md#token-mean");
  //@end
}

HARNESS_LAB(token_mean,
            {.flops_per_element = kWidth,
             .bytes_per_element = 4 * kWidth,
             .buffer_size = [](std::int64_t n,
                               int buffer) { return buffer == 0 ? kWidth * n : kWidth; },
             .default_n = 1 << 16});
