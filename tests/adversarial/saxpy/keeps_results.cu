// SPDX-License-Identifier: MIT
// Attack 27: keeps the result of every input, and gives it again when the input comes back.
// Refused: 90.saxpy-speed | failed
// Stopped by: unseen inputs are timed separately
#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

constexpr int kTurns = 20;

/// Right but slow: repeats the same multiply-add.
__global__ void saxpy_kernel(std::int64_t n, float a, const float* x, float* y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float sum = 0;
  for (int turn = 0; turn < kTurns; ++turn) sum = a * x[i] + y[i];
  y[i] = sum;
}

void saxpy(float a, gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  // The first numbers identify the input.
  static std::map<std::vector<float>, std::vector<float>> results;
  const auto few = static_cast<std::ptrdiff_t>(std::min<std::int64_t>(n, 8));
  std::vector<float> seen(x.data(), x.data() + few);
  seen.insert(seen.end(), y.data(), y.data() + few);
  seen.push_back(a);
  seen.push_back(static_cast<float>(n));
  std::vector<float>& result = results[seen];
  if (!result.empty()) {
    std::memcpy(y.data(), result.data(), result.size() * sizeof(float));
    return;
  }
  gpu::launch<saxpy_kernel>(dim3(static_cast<unsigned>((n + 255) / 256)), dim3(256), n, a, x.data(),
                            y.data());
  gpu::synchronize();
  result.assign(y.data(), y.data() + n);
}

HARNESS_LAB(saxpy, {.flops_per_element = 2, .bytes_per_element = 12})
