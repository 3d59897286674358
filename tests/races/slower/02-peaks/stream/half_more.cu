// SPDX-License-Identifier: MIT
// A triad that takes 1.5 times as long as necessary: it also processes half as many numbers again,
// from arrays of its own, every time the part that was touched longest ago and that no cache holds.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 512;
constexpr std::int64_t kPart = 1 << 21;  // half of the numbers of the race
constexpr std::int64_t kParts = 8;       // 384 MB in all

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

void launch_triad(std::int64_t n, double scalar, const double* x, const double* y, double* out) {
  gpu::launch<triad_kernel>(gpu::blocks_for(n / 2 + 1, kThreads), kThreads, n, scalar, x, y, out);
}

gpu::DeviceBuffer<double> zeros() {
  gpu::DeviceBuffer<double> result(kParts * kPart);
  gpu::fill_bytes(result, 0);
  return result;
}

void triad(double scalar, gpu::DeviceSpan<const double> x, gpu::DeviceSpan<const double> y,
           gpu::DeviceSpan<double> out) {
  static gpu::DeviceBuffer<double> own_x = zeros();
  static gpu::DeviceBuffer<double> own_y = zeros();
  static gpu::DeviceBuffer<double> own_out = zeros();
  static std::int64_t part = 0;
  const auto n = static_cast<std::int64_t>(out.size());
  launch_triad(n, scalar, x.data(), y.data(), out.data());
  const std::int64_t first = part * kPart;
  launch_triad(std::min(n / 2, kPart), scalar, own_x.data() + first, own_y.data() + first,
               own_out.data() + first);
  part = (part + 1) % kParts;
}

HARNESS_LAB(triad, {.flops_per_element = 2, .bytes_per_element = 24})
