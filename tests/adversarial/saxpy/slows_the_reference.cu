// SPDX-License-Identifier: MIT
// Attack 34: keeps the machine busy while the reference is timed.
// Refused: 90.saxpy-speed | failed
// Stopped by: the program is stopped while the reference is timed
#include <thread>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

static const bool busy = [] {
  for (int i = 0; i < 8; ++i) {
    std::thread([] {
      volatile unsigned turns = 0;
      while (true) turns = turns + 1;
    }).detach();
  }
  return true;
}();

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  for (std::int64_t i = 0; i < n; ++i) {
    volatile float slow = x[i];
    for (int turn = 0; turn < 8; ++turn) slow = slow + 0.0F;
    y[i] = a * x[i] + y[i];
  }
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  (void)busy;
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(1), dim3(1), n, a, x.data(), y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
