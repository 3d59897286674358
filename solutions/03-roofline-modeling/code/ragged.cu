// SPDX-License-Identifier: MIT
// Sums of sequences of different lengths, packed one after the other: a warp is as slow as its
// slowest lane.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

//@solve 03.ragged.kernel: write the kernel: sums[s] of the numbers starts[s] to starts[s + 1] - 1.
constexpr int kThreads = 256;
constexpr int kLanes = 32;  // lanes that share a sequence

__global__ void ragged_kernel(std::int64_t sequences, const std::int32_t* __restrict__ starts,
                              const float* __restrict__ x, float* __restrict__ sums) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const std::int64_t sequence = thread / kLanes;
  if (sequence >= sequences) return;
  const int lane = static_cast<int>(thread % kLanes);
  const int end = starts[sequence + 1];
  float sum = 0;
  // The lanes differ by at most one iteration, however long the sequence is.
  for (int i = starts[sequence] + lane; i < end; i += kLanes) sum += x[i];
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(gpu::kFullMask, sum, distance, kLanes);
  }
  if (lane == 0) sums[sequence] = sum;
}
//@stub
//| __global__ void ragged_kernel(std::int64_t sequences, const std::int32_t* __restrict__ starts,
//|                               const float* __restrict__ x, float* __restrict__ sums) {
//|   // How long does a warp run whose lanes have sequences of 3 and of 500 numbers?
//| }
//@end

/// sums[s] = x[starts[s]] + ... + x[starts[s + 1] - 1], 0 for an empty sequence.
/// @param starts one more number than there are sequences, in ascending order; not changed
/// @param x the numbers of all sequences, not changed
/// @param sums its initial contents are ignored
void ragged(gpu::DeviceSpan<const std::int32_t> starts, gpu::DeviceSpan<const float> x,
            gpu::DeviceSpan<float> sums) {
  //@solve 03.ragged.kernel: launch it for all sequences.
  const auto sequences = static_cast<std::int64_t>(sums.size());
  if (sequences == 0) return;
  gpu::launch<ragged_kernel>(gpu::blocks_for(sequences * kLanes, kThreads), kThreads, sequences,
                             starts.data(), x.data(), sums.data());
  //@stub
  //| harness::unsolved("03.ragged.kernel", "topics/03-roofline-modeling/README.md#ragged");
  //@end
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
