// SPDX-License-Identifier: MIT
// A read-only stream: the sum of an array. Reading weights and the KV cache looks like this.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

//@solve 02.sum.kernel: write the kernel. Every element is read once, by exactly one thread.
// Where a GPU uses many threads, a CPU core uses the lanes of vector registers: there a block is
// one thread, and more accumulators fill the registers.
constexpr int kThreads = gpu::Features::kIsGpu ? 512 : 1;
constexpr int kLoads = gpu::Features::kIsGpu ? 4 : 64;
constexpr int kTile = kThreads * kLoads;

/// Adds up one value of each thread of the block; thread 0 gets the result.
__device__ inline double sum_of_block(double value) {
  __shared__ double part[kThreads];
  part[threadIdx.x] = value;
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  return threadIdx.x == 0 ? part[0] : 0;
}

__global__ void sum_kernel(std::int64_t n, std::int64_t tiles_per_block,
                           const double* __restrict__ x, double* __restrict__ total) {
  double sums[kLoads] = {};
  const std::int64_t begin = std::int64_t{blockIdx.x} * tiles_per_block * kTile;
  const std::int64_t whole =
      n < begin + tiles_per_block * kTile ? n : begin + tiles_per_block * kTile;
  std::int64_t at = begin;
  for (; at + kTile <= whole; at += kTile) {
    // Independent sums: all loads of a tile are in flight before the first is added.
#pragma unroll
    for (int k = 0; k < kLoads; ++k) sums[k] += x[at + k * kThreads + threadIdx.x];
  }
  double sum = 0;
  for (at += threadIdx.x; at < whole; at += kThreads) sum += x[at];
#pragma unroll
  for (int k = 0; k < kLoads; ++k) sum += sums[k];
  const double of_block = sum_of_block(sum);
  if (threadIdx.x == 0) atomicAdd(total, of_block);
}
//@stub
//| __global__ void sum_kernel(std::int64_t n, const double* __restrict__ x,
//|                            double* __restrict__ total) {
//|   // Several independent sums per thread, then one atomicAdd per block.
//| }
//@end

/// total[0] = the sum of x, 0 when x is empty. The initial value of total[0] is ignored.
void sum(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<double> total) {
  //@solve 02.sum.kernel: clear the total, then launch.
  const auto n = static_cast<std::int64_t>(x.size());
  constexpr std::int64_t kTilesPerBlock = gpu::Features::kIsGpu ? 4 : 4096;
  gpu::fill_bytes(total, 0);
  gpu::launch<sum_kernel>(gpu::blocks_for(n, kTilesPerBlock * kTile), kThreads, n, kTilesPerBlock,
                          x.data(), total.data());
  //@stub
  //| harness::unsolved("02.sum.kernel", "topics/02-peaks/README.md#read");
  //@end
}

HARNESS_LAB(sum, {.flops_per_element = 1,
                  .bytes_per_element = 8,
                  .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : 1; },
                  .default_n = 1 << 26,
                  .beyond_caches = true});
