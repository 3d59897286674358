// SPDX-License-Identifier: MIT
// Each thread handles four rows: it reads all their bytes and scales once, and the inputs once.
// Earns: 04.gemv_mxfp4.passes | does no more work than allowed
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kRows = 4;
constexpr int kBlock = 32;
constexpr int kThreads = 32;

__device__ inline float number(unsigned code) {
  const float kSizes[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  return (code & 8) != 0 ? -kSizes[code & 7] : kSizes[code & 7];
}

__device__ inline float scale_of(unsigned code) {
  if (code == 255) return NAN;
  return __uint_as_float(code == 0 ? 0x00400000U : code << 23);
}

template <class T>
__global__ void four_rows(std::int64_t rows, std::int64_t columns, const std::uint8_t* packed,
                          const std::uint8_t* scales, const T* x, T* y) {
  const std::int64_t first = kRows * (std::int64_t{blockIdx.x} * kThreads + threadIdx.x);
  T sums[kRows] = {};
  for (std::int64_t block = 0; block < columns / kBlock && first < rows; ++block) {
    T inputs[kBlock];
    for (int i = 0; i < kBlock; ++i) inputs[i] = x[block * kBlock + i];
    for (int r = 0; r < kRows && first + r < rows; ++r) {
      const std::int64_t at = (first + r) * (columns / kBlock) + block;
      T sum = 0;
      for (int i = 0; i < kBlock; i += 2) {
        const unsigned both = packed[at * kBlock / 2 + i / 2];
        sum = fmaf(number(both & 15U), inputs[i], sum);
        sum = fmaf(number(both >> 4), inputs[i + 1], sum);
      }
      sums[r] = fmaf(scale_of(scales[at]), sum, sums[r]);
    }
  }
  for (int r = 0; r < kRows && first + r < rows; ++r) y[first + r] = sums[r];
}

template <class T>
void gemv_mxfp4(gpu::DeviceSpan<const std::uint8_t> packed,
                gpu::DeviceSpan<const std::uint8_t> scales, gpu::DeviceSpan<const T> x,
                gpu::DeviceSpan<T> y) {
  const auto rows = static_cast<std::int64_t>(y.size());
  gpu::launch<four_rows<T>>(gpu::blocks_for(rows, kRows * kThreads), kThreads, rows,
                            static_cast<std::int64_t>(x.size()), packed.data(), scales.data(),
                            x.data(), y.data());
}

HARNESS_COUNTED_LAB(gemv_mxfp4, float, {})
