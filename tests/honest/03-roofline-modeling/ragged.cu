// SPDX-License-Identifier: MIT
// A warp per sequence, in blocks of 96 threads.
// Earns: 03.ragged.lanes | within the limits
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void ragged_kernel(std::int64_t sequences, const std::int32_t* __restrict__ starts,
                              const float* __restrict__ x, float* __restrict__ sums) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t q = i / 32;
  if (q >= sequences) return;
  const int lane = static_cast<int>(i % 32);
  float s = 0;
  for (int j = starts[q] + lane; j < starts[q + 1]; j += 32) s += x[j];
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(gpu::kFullMask, s, d);
  if (lane == 0) sums[q] = s;
}

/// sums[s] = x[starts[s]] + ... + x[starts[s + 1] - 1], 0 for an empty sequence.
/// @param starts one more number than there are sequences, in ascending order; not changed
/// @param x the numbers of all sequences, not changed
/// @param sums its initial contents are ignored
void ragged(gpu::DeviceSpan<const std::int32_t> starts, gpu::DeviceSpan<const float> x,
            gpu::DeviceSpan<float> sums) {
  const auto sequences = static_cast<std::int64_t>(sums.size());
  if (sequences == 0) return;
  gpu::launch<ragged_kernel>(gpu::blocks_for(sequences * 32, 96), 96, sequences, starts.data(),
                             x.data(), sums.data());
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
