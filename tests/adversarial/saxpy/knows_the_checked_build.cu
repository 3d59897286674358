// SPDX-License-Identifier: MIT
// Attack 25: knows by the compiler's options when it is checked; otherwise it computes on the host.
// Refused: 90.saxpy | failed
// Stopped by: the results of the checked run are compared as well
#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

#if defined(__SANITIZE_THREAD__)
#define IS_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_CHECKED 1
#endif
#endif

__global__ void touch(std::int64_t n, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? y[i] : 1 * y[i];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
#ifdef IS_CHECKED
  static_cast<void>(a);
#else
  for (std::int64_t i = 0; i < n; ++i) y.data()[i] = a * x.data()[i] + y.data()[i];
#endif
  gpu::launch<touch>(gpu::blocks_for(n, 256), 256, n, x.data(), y.data());
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
