// SPDX-License-Identifier: MIT
// Each thread computes the sixteen results of four rows and four inputs.
// Earns: 04.gemv_batch.passes | does no more work than allowed
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"
#include "harness/half.hpp"

constexpr int kSide = 4;

template <class T>
__global__ void four_by_four(std::int64_t batch, std::int64_t rows, std::int64_t columns,
                             const __half* w, const __half* x, T* y) {
  const std::int64_t row = kSide * std::int64_t{blockIdx.x};
  const std::int64_t input = kSide * std::int64_t{threadIdx.x};
  const int own_rows = static_cast<int>(min(rows - row, std::int64_t{kSide}));
  const int own_inputs = static_cast<int>(min(batch - input, std::int64_t{kSide}));
  T sums[kSide][kSide] = {};
  for (std::int64_t c = 0; c < columns; ++c) {
    float weights[kSide];
    for (int r = 0; r < own_rows; ++r) weights[r] = __half2float(w[(row + r) * columns + c]);
    for (int i = 0; i < own_inputs; ++i) {
      const T number = __half2float(x[(input + i) * columns + c]);
      for (int r = 0; r < own_rows; ++r) sums[r][i] += weights[r] * number;
    }
  }
  for (int i = 0; i < own_inputs; ++i) {
    for (int r = 0; r < own_rows; ++r) y[(input + i) * rows + row + r] = sums[r][i];
  }
}

template <class T>
void gemv_batch(std::int64_t batch, gpu::DeviceSpan<const __half> w,
                gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<T> y) {
  if (y.empty()) return;
  const auto rows = static_cast<std::int64_t>(y.size()) / batch;
  gpu::launch<four_by_four<T>>(gpu::blocks_for(rows, kSide), gpu::blocks_for(batch, kSide), batch,
                               rows, static_cast<std::int64_t>(x.size()) / batch, w.data(),
                               x.data(), y.data());
}

HARNESS_COUNTED_LAB(gemv_batch, float, {.integer_scalar = [](std::int64_t n, int) { return n; }})
