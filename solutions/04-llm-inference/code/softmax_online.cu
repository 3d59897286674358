// SPDX-License-Identifier: MIT
// Softmax of rows, with the maximum and the sum found in one pass instead of two.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"

//@solve 04.softmax.kernel: write the kernel: one pass for maximum and sum, one that writes.
constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 1;  // per row; a CPU core reads a row alone

/// For the numbers seen so far: their maximum, and the sum of exp(number - maximum). T may be a
/// pack; then this holds for each position in the packs.
template <class T>
struct RunningSum {
  // Not minus infinity: the difference of two infinities is NaN.
  T maximum = T(-FLT_MAX);
  T sum = T(0);

  /// Numbers added together rescale the sum only once.
  template <int kCount>
  __device__ void add(const T (&x)[kCount]) {
    T higher = maximum;
#pragma unroll
    for (int i = 0; i < kCount; ++i) higher = fmaxf(higher, x[i]);
    sum = sum * expf(maximum - higher);
#pragma unroll
    for (int i = 0; i < kCount; ++i) sum = sum + expf(x[i] - higher);
    maximum = higher;
  }
  __device__ void merge(const T& other_maximum, const T& other_sum) {
    const T higher = fmaxf(maximum, other_maximum);
    sum = sum * expf(maximum - higher) + other_sum * expf(other_maximum - higher);
    maximum = higher;
  }
};

/// Numbers of a row that a CPU core takes in packs, four at a time; none on a GPU.
template <class T>
__device__ std::int64_t packed_columns(std::int64_t columns) {
  return gpu::Features::kIsGpu ? 0 : columns - columns % (4 * gpu::kPackWidth<T>);
}

template <class T>
RunningSum<T> sum_packs(std::int64_t count, const T* x) {
  constexpr int kWidth = gpu::kPackWidth<T>;
  RunningSum<gpu::Pack<T>> places;
  for (std::int64_t c = 0; c < count; c += 4 * kWidth) {
    places.add({gpu::load_pack(x + c), gpu::load_pack(x + c + kWidth),
                gpu::load_pack(x + c + 2 * kWidth), gpu::load_pack(x + c + 3 * kWidth)});
  }
  RunningSum<T> all;
  for (int i = 0; i < kWidth; ++i) all.merge(places.maximum[i], places.sum[i]);
  return all;
}

template <class T>
void write_packs(std::int64_t count, const RunningSum<T>& all, const T* x, T* y) {
  const gpu::Pack<T> maximum(all.maximum);
  const gpu::Pack<T> share(T(1) / all.sum);
  const bool is_aligned = gpu::is_pack_aligned(y);
  for (std::int64_t c = 0; c < count; c += gpu::kPackWidth<T>) {
    const gpu::Pack<T> result = expf(gpu::load_pack(x + c) - maximum) * share;
    is_aligned ? gpu::store_pack_streaming(y + c, result) : gpu::store_pack(y + c, result);
  }
}

template <class T>
__global__ void softmax_kernel(std::int64_t columns, const T* __restrict__ x, T* __restrict__ y) {
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t row = std::int64_t{blockIdx.x} * columns;
  const std::int64_t packed = packed_columns<T>(columns);
  RunningSum<T> own;
  if constexpr (!gpu::Features::kIsGpu) own = sum_packs(packed, x + row);
  for (std::int64_t c = packed + thread; c < columns; c += kThreads) own.add({x[row + c]});
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
  if constexpr (!gpu::Features::kIsGpu) write_packs(packed, own, x + row, y + row);
  for (std::int64_t c = packed + thread; c < columns; c += kThreads) {
    y[row + c] = expf(x[row + c] - own.maximum) / own.sum;
  }
}
//@stub
//| template <class T>
//| __global__ void softmax_kernel(std::int64_t columns, const T* __restrict__ x,
//|                                T* __restrict__ y) {
//|   // When the maximum grows from a to b, the sum so far shrinks by a factor of exp(a - b).
//| }
//@end

/// y = softmax(x), row by row, on the device. x is read twice, not three times.
/// @param columns numbers in a row; the length of x and y is a multiple of it, and 0 if it is 0
template <class T>
void softmax_online(std::int64_t columns, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> y) {
  //@solve 04.softmax.kernel: launch it for the rows of x.
  if (x.empty()) return;
  const auto rows = static_cast<std::int64_t>(x.size()) / columns;
  gpu::launch<softmax_kernel<T>>(rows, kThreads, columns, x.data(), y.data());
  //@stub
  //| harness::unsolved("04.softmax.kernel", "topics/04-llm-inference/README.md#softmax");
  //@end
}

// The engine uses this instance from another file.
template void softmax_online<float>(std::int64_t columns, gpu::DeviceSpan<const float> x,
                                    gpu::DeviceSpan<float> y);

HARNESS_COUNTED_LAB(softmax_online, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const auto count = static_cast<double>(n);
                       return {5 * count, 8 * count};
                     },
                     .integer_scalar = [](std::int64_t n, int) { return n < 4096 ? n : 4096; },
                     .default_n = 1 << 24});
