// SPDX-License-Identifier: MIT
// A row per thread, and rounding errors are added up too, as Kahan does.
// Earns: 04.gemv.kernel | right for 13 sizes
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "harness/lab.hpp"

__global__ void gemv_kernel(std::int64_t rows, std::int64_t columns, const float* __restrict__ w,
                            const float* __restrict__ x, float* __restrict__ y) {
  const std::int64_t r = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0, e = 0;
  for (std::int64_t c = 0; c < columns; ++c) {
    const float p = w[r * columns + c] * x[c] - e;
    const float t = s + p;
    e = (t - s) - p;
    s = t;
  }
  y[r] = s;
}

/// y = W x on the device.
/// @param w y.size() rows of x.size() columns, one row after the other
/// @param x input vector
/// @param y output vector; with no columns it becomes 0
void gemv(gpu::DeviceSpan<const float> w, gpu::DeviceSpan<const float> x,
          gpu::DeviceSpan<float> y) {
  const auto rows = static_cast<std::int64_t>(y.size());
  if (rows == 0) return;
  gpu::launch<gemv_kernel>(gpu::blocks_for(rows, 64), 64, rows, static_cast<std::int64_t>(x.size()),
                           w.data(), x.data(), y.data());
}

HARNESS_LAB(gemv,
            {.work = [](std::int64_t n) -> harness::Work {
               const auto size = static_cast<double>(n);
               return {2 * size * size, 4 * (size * size + 2 * size)};
             },
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n * n : n; },
             .default_n = 8192});
