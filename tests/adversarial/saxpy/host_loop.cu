// SPDX-License-Identifier: MIT
// Attack 22: computes on the host, where a kernel was asked for.
// Refused: 90.saxpy | crashed
// Stopped by: in the checked run host code cannot reach device memory
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  for (std::size_t i = 0; i < x.size(); ++i) y.data()[i] = a * x.data()[i] + y.data()[i];
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
