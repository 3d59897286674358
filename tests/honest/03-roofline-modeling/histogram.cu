// SPDX-License-Identifier: MIT
// Four sets of counters per block of 512 threads.
// Earns: 03.histogram.private | within the limits
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Possible values: 0 to kBins - 1.
constexpr int kBins = 256;

__global__ void histogram_kernel(std::int64_t n, const std::int32_t* __restrict__ values,
                                 std::int32_t* __restrict__ counts) {
  __shared__ std::int32_t own[4][kBins + 1];
  const int t = static_cast<int>(threadIdx.x);
  for (int j = t; j < 4 * (kBins + 1); j += blockDim.x) own[j / (kBins + 1)][j % (kBins + 1)] = 0;
  __syncthreads();
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + t; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    atomicAdd(&own[t / 32 % 4][values[i]], 1);
  __syncthreads();
  for (int b = t; b < kBins; b += blockDim.x) {
    const int s = own[0][b] + own[1][b] + own[2][b] + own[3][b];
    if (s != 0) atomicAdd(counts + b, s);
  }
}

/// counts[v] = how many of the values are v.
/// @param values n numbers, 0 to kBins - 1, not changed
/// @param counts kBins numbers; its initial contents are ignored
void histogram(gpu::DeviceSpan<const std::int32_t> values, gpu::DeviceSpan<std::int32_t> counts) {
  const auto n = static_cast<std::int64_t>(values.size());
  gpu::fill_bytes(counts, 0);
  if (n == 0) return;
  gpu::launch<histogram_kernel>(264, 512, n, values.data(), counts.data());
}

HARNESS_LAB(histogram,
            {.bytes_per_element = 4,
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : kBins; },
             .default_n = 1 << 26});
