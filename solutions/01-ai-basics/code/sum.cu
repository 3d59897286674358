// SPDX-License-Identifier: MIT
// The sum of an array: one addition for every four bytes, and a tree at the end.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

//@solve 01.sum.kernel: write the kernel, so that total[0] becomes the sum of all x[i].
constexpr std::int64_t kQuad = 4;
constexpr int kChains = 4;
// Every barrier of a block costs all its threads time, and on a CPU a lot: use few threads with a
// long range each. On a GPU many threads keep many loads in flight.
constexpr int kThreads = gpu::Features::kIsGpu ? 256 : 32;
constexpr std::int64_t kQuadsPerThread = gpu::Features::kIsGpu ? 32 : 8192;

template <class T>
__device__ inline void add_quad(gpu::Vector<T, 4>& sum, gpu::Vector<T, 4> quad) {
  sum.x += quad.x;
  sum.y += quad.y;
  sum.z += quad.z;
  sum.w += quad.w;
}

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
__global__ void sum_kernel(std::int64_t quads, std::int64_t rest, const T* __restrict__ x,
                           T* __restrict__ total) {
  using Quad = gpu::Vector<T, 4>;
  constexpr std::int64_t kBlockQuads = kThreads * kQuadsPerThread;
  const Quad* from = reinterpret_cast<const Quad*>(x);
  const std::int64_t thread = threadIdx.x;
  const std::int64_t block_begin = blockIdx.x * kBlockQuads;
  const std::int64_t block_end =
      block_begin + kBlockQuads < quads ? block_begin + kBlockQuads : quads;
  // Adjacent threads of a GPU share a line; a CPU core prefers a contiguous range of its own.
  constexpr std::int64_t kStep = gpu::Features::kIsGpu ? kThreads : 1;
  const std::int64_t begin = block_begin + thread * (kStep == 1 ? kQuadsPerThread : 1);
  const std::int64_t stretch_end = begin + (kQuadsPerThread - 1) * kStep + 1;
  const std::int64_t end = stretch_end < block_end ? stretch_end : block_end;

  Quad sums[kChains];
  for (Quad& sum : sums) sum.x = sum.y = sum.z = sum.w = 0;
  std::int64_t q = begin;
  for (; q + (kChains - 1) * kStep < end; q += kChains * kStep) {
    Quad loaded[kChains];
#pragma unroll
    for (int chain = 0; chain < kChains; ++chain) loaded[chain] = from[q + chain * kStep];
#pragma unroll
    for (int chain = 0; chain < kChains; ++chain) add_quad<T>(sums[chain], loaded[chain]);
  }
  for (; q < end; q += kStep) add_quad<T>(sums[0], from[q]);
  for (int chain = 1; chain < kChains; ++chain) add_quad<T>(sums[0], sums[chain]);
  T sum = sums[0].x + sums[0].y + sums[0].z + sums[0].w;
  if (blockIdx.x == 0 && thread < rest) sum += x[quads * kQuad + thread];

  sum = sum_of_block<T>(sum);
  if (thread == 0) atomicAdd(total, sum);
}
//@stub
//| template <class T>
//| __global__ void sum_kernel(std::int64_t n, const T* __restrict__ x, T* __restrict__ total) {
//|   // A sum per thread, then a tree per block, then one atomicAdd per block.
//| }
//@end

/// total[0] = sum of x; 0 when x is empty.
/// @param x n values, not changed
/// @param total one value; its initial contents are ignored
template <class T>
void sum(gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> total) {
  //@solve 01.sum.kernel: clear total[0], then launch the kernel for n = x.size() elements.
  const auto n = static_cast<std::int64_t>(x.size());
  const std::int64_t quads = n / kQuad;
  gpu::fill_bytes(total, 0);
  if (n == 0) return;
  const unsigned blocks =
      quads == 0 ? 1 : gpu::blocks_for(quads, std::int64_t{kThreads} * kQuadsPerThread);
  gpu::launch<sum_kernel<T>>(blocks, kThreads, quads, n % kQuad, x.data(), total.data());
  //@stub
  //| harness::unsolved("01.sum.kernel", "topics/01-ai-basics/README.md#sum");
  //@end
}

HARNESS_COUNTED_LAB(sum, float,
                    {.flops_per_element = 1,
                     .bytes_per_element = 4,
                     .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : 1; },
                     .default_n = 1 << 27,
                     .beyond_caches = true});
