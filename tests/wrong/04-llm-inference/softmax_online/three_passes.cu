// SPDX-License-Identifier: MIT
// Reads every number a third time.
// Refused: 04.softmax.passes | failed | does other work than needed
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 1;  // of a row; a core reads one alone

/// Of the numbers seen so far: their maximum, and the sum of exp(number - maximum).
template <class T>
struct RunningSum {
  // Not minus infinity: the difference of two of those is no number.
  T maximum = T(-FLT_MAX);
  T sum = T(0);

  __device__ void merge(const T& other_maximum, const T& other_sum) {
    const T higher = fmaxf(maximum, other_maximum);
    sum = sum * expf(maximum - higher) + other_sum * expf(other_maximum - higher);
    maximum = higher;
  }
};

template <class T>
__global__ void softmax_kernel(std::int64_t columns, const T* __restrict__ x, T* __restrict__ y) {
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t row = std::int64_t{blockIdx.x} * columns;
  RunningSum<T> own;
  for (std::int64_t c = thread; c < columns; c += kThreads) {
    own.maximum = fmaxf(own.maximum, x[row + c]);
  }
  for (std::int64_t c = thread; c < columns; c += kThreads) {
    own.sum += expf(x[row + c] - own.maximum);
  }
  if constexpr (kThreads > 1) {
    __shared__ T maxima[kThreads];
    __shared__ T sums[kThreads];
    maxima[thread] = own.maximum;
    sums[thread] = own.sum;
    for (int width = kThreads / 2; width > 0; width /= 2) {
      __syncthreads();
      if (thread >= width) continue;
      own.merge(maxima[thread + width], sums[thread + width]);
      maxima[thread] = own.maximum;
      sums[thread] = own.sum;
    }
    __syncthreads();
    own.maximum = maxima[0];
    own.sum = sums[0];
  }
  for (std::int64_t c = thread; c < columns; c += kThreads) {
    y[row + c] = expf(x[row + c] - own.maximum) / own.sum;
  }
}

/// y = softmax(x), row by row, on the device. x is read twice, not three times.
/// @param columns numbers in a row; x and y are a multiple of it long, and empty when it is 0
template <class T>
void softmax_online(std::int64_t columns, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> y) {
  if (x.empty()) return;
  const auto rows = static_cast<std::int64_t>(x.size()) / columns;
  gpu::launch<softmax_kernel<T>>(rows, kThreads, columns, x.data(), y.data());
}

HARNESS_COUNTED_LAB(softmax_online, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const auto count = static_cast<double>(n);
                       return {5 * count, 8 * count};
                     },
                     .integer_scalar = [](std::int64_t n, int) { return n < 4096 ? n : 4096; },
                     .default_n = 1 << 24});
