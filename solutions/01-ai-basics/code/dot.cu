// SPDX-License-Identifier: MIT
// The dot product: one fused multiply-add for every eight bytes, and a tree at the end.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

//@solve 01.dot.kernel: write the kernel, so that result[0] becomes the sum of all x[i]*y[i].
constexpr int kChains = 8;
// Every barrier of a block costs all its threads time, and on a CPU a lot: use few threads with a
// long range each. On a GPU many threads keep many loads in flight.
constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 32;
constexpr std::int64_t kPerThread = gpu::Features::kIsGpu ? 64 : 16384;

/// Adds up the threads' values; thread 0 returns the sum.
template <class T>
__device__ inline T sum_of_block(T value) {
  __shared__ T partial[kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  partial[thread] = value;
  __syncthreads();
  for (int width = kThreads / 2; width > 0; width /= 2) {
    if (thread < width) partial[thread] += partial[thread + width];
    __syncthreads();
  }
  return partial[0];
}

template <class T>
__global__ void dot_kernel(std::int64_t n, const T* __restrict__ x, const T* __restrict__ y,
                           T* __restrict__ result) {
  const std::int64_t thread = threadIdx.x;
  const std::int64_t block_begin = blockIdx.x * (kThreads * kPerThread);
  // Adjacent threads of a GPU share a line; a CPU core prefers a contiguous range of its own.
  constexpr std::int64_t kStep = gpu::Features::kIsGpu ? kThreads : 1;
  const std::int64_t begin = block_begin + thread * (kStep == 1 ? kPerThread : 1);
  const std::int64_t stretch_end = begin + (kPerThread - 1) * kStep + 1;
  const std::int64_t end = stretch_end < n ? stretch_end : n;

  // Several sums, so that no multiply-add waits for the previous one.
  T sums[kChains];
  for (T& sum : sums) sum = 0;
  std::int64_t i = begin;
  for (; i + (kChains - 1) * kStep < end; i += kChains * kStep) {
#pragma unroll
    for (int chain = 0; chain < kChains; ++chain) {
      sums[chain] = fmaf(x[i + chain * kStep], y[i + chain * kStep], sums[chain]);
    }
  }
  for (; i < end; i += kStep) sums[0] = fmaf(x[i], y[i], sums[0]);
  T sum = sums[0];
  for (int chain = 1; chain < kChains; ++chain) sum += sums[chain];

  sum = sum_of_block<T>(sum);
  if (thread == 0) atomicAdd(result, sum);
}
//@stub
//| template <class T>
//| __global__ void dot_kernel(std::int64_t n, const T* __restrict__ x, const T* __restrict__ y,
//|                            T* __restrict__ result) {
//|   // fmaf(a, b, c) is a*b + c in one step. Use one atomicAdd per block on result[0].
//| }
//@end

/// result[0] = sum of x[i]*y[i]; 0 when the arrays are empty.
/// @param x n values, not changed
/// @param y n values, not changed
/// @param result one value; its initial contents are ignored
template <class T>
void dot(gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y, gpu::DeviceSpan<T> result) {
  //@solve 01.dot.kernel: clear result[0], then launch the kernel for n = x.size() elements.
  const auto n = static_cast<std::int64_t>(x.size());
  gpu::fill_bytes(result, 0);
  const unsigned blocks = gpu::blocks_for(n, std::int64_t{kThreads} * kPerThread);
  gpu::launch<dot_kernel<T>>(blocks, kThreads, n, x.data(), y.data(), result.data());
  //@stub
  //| harness::unsolved("01.dot.kernel", "topics/01-ai-basics/README.md#dot");
  //@end
}

HARNESS_COUNTED_LAB(dot, float,
                    {.flops_per_element = 2,
                     .bytes_per_element = 8,
                     .buffer_size = [](std::int64_t n, int buffer) { return buffer < 2 ? n : 1; },
                     .default_n = 1 << 26,
                     .beyond_caches = true});
