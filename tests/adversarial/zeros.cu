// SPDX-License-Identifier: MIT
// The SAXPY that most attacks change (their "// Changes:"): nothing it computes is right, so that
// whatever it earns, the attack has earned.
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 0 * (a + x[i]);
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a, x.data(),
                            y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
