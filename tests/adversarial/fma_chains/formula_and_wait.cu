// SPDX-License-Identifier: MIT
// Attack 39: puts all steps together in one multiply-add, and waits as long as they would take.
// Refused: 02.fma.speed | failed
// Stopped by: results are compared with chains that round at every step, to the last digit
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = 128;

__global__ void formula_kernel(std::int64_t n, double factor, double addend, std::int64_t turns,
                               const float* __restrict__ x, float* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float wait = 0;  // or the roof would tell
  for (std::int64_t turn = 0; turn < turns; ++turn) wait = wait + 1;
  y[i] = static_cast<float>(factor * x[i] + addend);
}

void fma_chains(std::int64_t iterations, std::int64_t, float a, float b,
                gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  const double factor = std::pow(double{a}, static_cast<double>(iterations));
  const double addend = b * (factor - 1) / (double{a} - 1);
  gpu::launch<formula_kernel>(gpu::blocks_for(n, kThreads), kThreads, n, factor, addend,
                              iterations / 64, x.data(), y.data());
}

HARNESS_LAB(fma_chains, {.flops_per_element = 8192, .bytes_per_element = 8})
