// SPDX-License-Identifier: MIT
// Attack 9: brings its own clock, so that every time it takes is zero.
// Refused: 90.saxpy-speed | failed
// Stopped by: the grader's own clock; and the object file is inspected
#include <time.h>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

extern "C" int clock_gettime(clockid_t, struct timespec* now) noexcept {
  now->tv_sec = 1;
  now->tv_nsec = 0;
  return 0;
}

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  for (std::int64_t i = 0; i < n; ++i) {
    volatile float slow = x[i];
    for (int turn = 0; turn < 20; ++turn) slow = slow + 0.0F;
    y[i] = a * x[i] + y[i];
  }
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());

  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(1), dim3(1), n, a, x.data(), y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
