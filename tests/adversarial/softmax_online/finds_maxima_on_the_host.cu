// SPDX-License-Identifier: MIT
// Attack 22: finds the maxima on the host, so that its kernel reads the numbers twice
// Refused: 04.softmax.passes | failed
// Stopped by: what is copied to the host counts as loaded
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void softmax_kernel(std::int64_t columns, const float* maxima, const T* x, T* y) {
  const T* row = x + blockIdx.x * columns;
  T* out = y + blockIdx.x * columns;
  const T highest(maxima[blockIdx.x]);
  T sum(0);
  for (std::int64_t c = 0; c < columns; ++c) sum = sum + exp(row[c] - highest);
  for (std::int64_t c = 0; c < columns; ++c) out[c] = exp(row[c] - highest) / sum;
}

template <class T>
void softmax_online(std::int64_t columns, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> y) {
  if (columns == 0) return;
  std::vector<T> numbers(x.size());
  gpu::copy_to_host(std::span<T>(numbers), x);
  std::vector<float> maxima(x.size() / static_cast<std::size_t>(columns), -FLT_MAX);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    float& highest = maxima[i / static_cast<std::size_t>(columns)];
    highest = std::max(highest, static_cast<float>(numbers[i]));
  }
  const auto device = gpu::to_device(maxima);
  gpu::launch<softmax_kernel<T>>(static_cast<unsigned>(maxima.size()), 1, columns, device.data(),
                                 x.data(), y.data());
}

HARNESS_COUNTED_LAB(softmax_online, float,
                    {.integer_scalar = [](std::int64_t n, int) { return n < 4096 ? n : 4096; }})
