// SPDX-License-Identifier: MIT
// The triad with two sixteen-byte loads of each array in flight per thread.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 256;

__global__ void triad_kernel(std::int64_t n, double scalar, const double* __restrict__ x,
                             const double* __restrict__ y, double* __restrict__ out) {
  const auto* x_pairs = reinterpret_cast<const double2*>(x);
  const auto* y_pairs = reinterpret_cast<const double2*>(y);
  auto* out_pairs = reinterpret_cast<double2*>(out);
  const std::int64_t first = std::int64_t{blockIdx.x} * 2 * blockDim.x + threadIdx.x;
  double2 x_own[2] = {};
  double2 y_own[2] = {};
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const std::int64_t i = first + k * static_cast<int>(blockDim.x);
    if (i < n / 2) {
      x_own[k] = x_pairs[i];
      y_own[k] = y_pairs[i];
    }
  }
#pragma unroll
  for (int k = 0; k < 2; ++k) {
    const std::int64_t i = first + k * static_cast<int>(blockDim.x);
    if (i < n / 2) {
      x_own[k].x = fma(scalar, y_own[k].x, x_own[k].x);
      x_own[k].y = fma(scalar, y_own[k].y, x_own[k].y);
      out_pairs[i] = x_own[k];
    }
  }
  if (first == 0 && n % 2 == 1) out[n - 1] = fma(scalar, y[n - 1], x[n - 1]);
}

void triad(double scalar, gpu::DeviceSpan<const double> x, gpu::DeviceSpan<const double> y,
           gpu::DeviceSpan<double> out) {
  const auto n = static_cast<std::int64_t>(out.size());
  gpu::launch<triad_kernel>(gpu::blocks_for(n / 2 + 1, 2 * kThreads), kThreads, n, scalar, x.data(),
                            y.data(), out.data());
}

HARNESS_LAB(triad, {.flops_per_element = 2, .bytes_per_element = 24})
