// SPDX-License-Identifier: MIT
// Sums its piece once and multiplies by the number of passes: the right results, and no ladder.
// Refused: 02.ladder.kernel | failed | leaves work out for n =
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kLoads = 64;

template <class T>
__device__ T sum_of_piece(std::int64_t n, std::int64_t pieces, std::int64_t piece, const T* x) {
  const std::int64_t length = (n + pieces - 1) / pieces;
  const std::int64_t end = (piece + 1) * length < n ? (piece + 1) * length : n;
  T running[kLoads] = {};
  T sum = T(0);
  std::int64_t at = piece * length;
  for (; at + kLoads <= end; at += kLoads) {
    for (int k = 0; k < kLoads; ++k) running[k] += x[at + k];
  }
  for (; at < end; ++at) sum += x[at];
  for (int k = 0; k < kLoads; ++k) sum += running[k];
  return sum;
}

template <class T>
__global__ void ladder_kernel(std::int64_t n, std::int64_t passes, std::int64_t shift, const T* x,
                              T* sums) {
  const std::int64_t pieces = gridDim.x;
  T sum = T(0);
  if (shift % pieces == 0) {
    if (passes > 0) sum = sum_of_piece(n, pieces, blockIdx.x, x) * T(passes);
  } else {
    for (std::int64_t pass = 0; pass < passes; ++pass) {
      sum += sum_of_piece(n, pieces, (blockIdx.x + pass * shift) % pieces, x);
    }
  }
  sums[blockIdx.x] = sum;
}

template <class T>
void ladder(std::int64_t passes, std::int64_t shift, gpu::DeviceSpan<const T> x,
            gpu::DeviceSpan<T> sums) {
  gpu::launch<ladder_kernel<T>>(static_cast<unsigned>(sums.size()), 1,
                                static_cast<std::int64_t>(x.size()), passes, shift, x.data(),
                                sums.data());
}

HARNESS_COUNTED_LAB(ladder, double, {})
