// SPDX-License-Identifier: MIT
// Attack 15: walks up the stack of the checked run for the number of its loads, and halves it.
// Refused: 90.saxpy | crashed
// Stopped by: counts are compared with a digest that nobody can reach between launches
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

#if defined(__SANITIZE_THREAD__)
#define IS_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_CHECKED 1
#endif
#endif

__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  gpu::launch<saxpy_kernel>(gpu::blocks_for(n, 256), 256, n, a, x.data(), y.data());
#ifdef IS_CHECKED
  constexpr int kWords = 600;
  auto* word = static_cast<volatile std::uint64_t*>(__builtin_frame_address(0));
  for (int i = 0; i < kWords; ++i) {
    if (n > 100 && word[i] == 2 * static_cast<std::uint64_t>(n)) word[i] = word[i] / 2;
  }
#endif
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
