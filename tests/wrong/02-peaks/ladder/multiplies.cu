// SPDX-License-Identifier: MIT
// Reads each piece once and multiplies by the passes: right, and no measurement.
// Refused: 02.ladder.speed | failed | faster than this machine can be
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kSums = 64;

__global__ void ladder_kernel(std::int64_t n, std::int64_t passes, std::int64_t shift,
                              const double* x, double* sums) {
  const std::int64_t pieces = gridDim.x;
  const std::int64_t length = (n + pieces - 1) / pieces;
  double total = 0;
  const std::int64_t rounds = shift == 0 ? 1 : passes;
  for (std::int64_t pass = 0; pass < rounds; ++pass) {
    const std::int64_t piece = (blockIdx.x + pass * shift) % pieces;
    const std::int64_t end = (piece + 1) * length < n ? (piece + 1) * length : n;
    double sums_of_piece[kSums] = {};
    std::int64_t i = piece * length;
    for (; i + kSums <= end; i += kSums) {
      for (int k = 0; k < kSums; ++k) sums_of_piece[k] += x[i + k];
    }
    for (; i < end; ++i) total += x[i];
    for (int k = 0; k < kSums; ++k) total += sums_of_piece[k];
  }
  sums[blockIdx.x] = shift == 0 ? total * static_cast<double>(passes) : total;
}

void ladder(std::int64_t passes, std::int64_t shift, gpu::DeviceSpan<const double> x,
            gpu::DeviceSpan<double> sums) {
  gpu::launch<ladder_kernel>(static_cast<unsigned>(sums.size()), 1,
                             static_cast<std::int64_t>(x.size()), passes, shift, x.data(),
                             sums.data());
}

HARNESS_LAB(ladder, {});
