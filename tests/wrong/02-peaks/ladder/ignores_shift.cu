// SPDX-License-Identifier: MIT
// Every block stays with its own piece, whatever the shift.
// Refused: 02.ladder.kernel | failed | wrong for n =
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void ladder_kernel(std::int64_t n, std::int64_t passes, std::int64_t shift,
                              const double* x, double* sums) {
  const std::int64_t pieces = gridDim.x;
  const std::int64_t length = (n + pieces - 1) / pieces;
  static_cast<void>(shift);
  const std::int64_t piece = blockIdx.x;
  double sum = 0;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    for (std::int64_t i = piece * length; i < n && i < (piece + 1) * length; ++i) sum += x[i];
  }
  sums[blockIdx.x] = sum;
}

void ladder(std::int64_t passes, std::int64_t shift, gpu::DeviceSpan<const double> x,
            gpu::DeviceSpan<double> sums) {
  gpu::launch<ladder_kernel>(static_cast<unsigned>(sums.size()), 1,
                             static_cast<std::int64_t>(x.size()), passes, shift, x.data(),
                             sums.data());
}

HARNESS_LAB(ladder, {});
