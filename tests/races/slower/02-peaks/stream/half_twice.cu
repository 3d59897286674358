// SPDX-License-Identifier: MIT
// A triad that takes one and a half times as long as it need: half of the elements are done twice.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 512;

__global__ void triad_kernel(std::int64_t n, double scalar, const double* __restrict__ x,
                             const double* __restrict__ y, double* __restrict__ out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    double2 x_own = reinterpret_cast<const double2*>(x)[i];
    const double2 y_own = reinterpret_cast<const double2*>(y)[i];
    x_own.x = fma(scalar, y_own.x, x_own.x);
    x_own.y = fma(scalar, y_own.y, x_own.y);
    reinterpret_cast<double2*>(out)[i] = x_own;
  }
  if (i == 0 && n % 2 == 1) out[n - 1] = fma(scalar, y[n - 1], x[n - 1]);
}

void triad(double scalar, gpu::DeviceSpan<const double> x, gpu::DeviceSpan<const double> y,
           gpu::DeviceSpan<double> out) {
  const auto n = static_cast<std::int64_t>(out.size());
  for (const std::int64_t count : {n, n / 4 * 2}) {
    gpu::launch<triad_kernel>(gpu::blocks_for(count / 2 + 1, kThreads), kThreads, count, scalar,
                              x.data(), y.data(), out.data());
  }
}

HARNESS_LAB(triad, {.flops_per_element = 2, .bytes_per_element = 24})
