// SPDX-License-Identifier: MIT
// The memory ladder: the same data is read again and again, so that its size determines which
// memory serves it.
// T is double, or a counting number when the work is counted: write T, not double.
#include <algorithm>
#include <cstdint>
#include <span>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

//@solve 02.ladder.kernel: write the kernel. Block b reads one piece of x in every pass.
constexpr int kThreads = gpu::Features::kIsGpu ? 512 : 1;
constexpr int kLoads = gpu::Features::kIsGpu ? 4 : 64;
constexpr int kTile = kThreads * kLoads;

template <class T>
__global__ void ladder_kernel(std::int64_t n, std::int64_t passes, std::int64_t shift,
                              const T* __restrict__ x, T* __restrict__ sums) {
  __shared__ T part[kThreads];
  const std::int64_t pieces = gridDim.x;
  const std::int64_t length = (n + pieces - 1) / pieces;
  T running[kLoads] = {};
  T rest = T(0);
  std::int64_t piece = blockIdx.x;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    const std::int64_t end = (piece + 1) * length < n ? (piece + 1) * length : n;
    std::int64_t at = piece * length;
    for (; at + kTile <= end; at += kTile) {
#pragma unroll
      for (int k = 0; k < kLoads; ++k) running[k] += x[at + k * kThreads + threadIdx.x];
    }
    for (at += threadIdx.x; at < end; at += kThreads) rest += x[at];
    piece = (piece + shift) % pieces;
  }
#pragma unroll
  for (int k = 0; k < kLoads; ++k) rest += running[k];
  part[threadIdx.x] = rest;
  for (int width = kThreads / 2; width > 0; width /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < width) part[threadIdx.x] += part[threadIdx.x + width];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}
//@stub
//| template <class T>
//| __global__ void ladder_kernel(std::int64_t n, std::int64_t passes, std::int64_t shift,
//|                               const T* __restrict__ x, T* __restrict__ sums) {
//|   // Pieces have (n + gridDim.x - 1) / gridDim.x elements; the last ones may be short or empty.
//| }
//@end

/// Block b = 0 .. sums.size() - 1 reads piece (b + pass * shift) mod sums.size() of x in every
/// pass, and sums[b] is the sum of everything it read. With a shift of 0 each block keeps its own
/// piece; with 1 the pieces rotate, so that no cache of a single core or multiprocessor can keep
/// them. Every pass reads every element again: that is what is measured and counted.
template <class T>
void ladder(std::int64_t passes, std::int64_t shift, gpu::DeviceSpan<const T> x,
            gpu::DeviceSpan<T> sums) {
  //@solve 02.ladder.kernel: launch one block for each element of sums.
  const auto blocks = static_cast<unsigned>(sums.size());
  gpu::launch<ladder_kernel<T>>(blocks, kThreads, static_cast<std::int64_t>(x.size()), passes,
                                shift, x.data(), sums.data());
  //@stub
  //| harness::unsolved("02.ladder.kernel", "topics/02-peaks/README.md#ladder");
  //@end
}

/// As many pieces as the device has cores or multiprocessors; twice as many on a GPU.
std::int64_t pieces() {
  return gpu::current_device().multiprocessors * (gpu::Features::kIsGpu ? 2 : 1);
}

/// Enough passes to make the launch of the kernel negligible.
std::int64_t passes_for(std::int64_t n) {
  constexpr std::int64_t kElementsPerPiece = gpu::Features::kIsGpu ? 1 << 21 : 1 << 23;
  return std::max<std::int64_t>(1, kElementsPerPiece * pieces() / n);
}

harness::Work ladder_work(std::int64_t n, std::span<const std::int64_t> integers) {
  const double read = static_cast<double>(n) * static_cast<double>(integers[0]);
  return {read, 8 * read};
}

HARNESS_COUNTED_LAB(ladder, double,
                    {.buffer_size = [](std::int64_t n, int buffer) -> std::int64_t {
                       return buffer == 0 ? n : pieces();
                     },
                     .integer_scalar = [](std::int64_t n, int scalar) -> std::int64_t {
                       return scalar == 0 ? passes_for(n) : 0;
                     },
                     .default_n = 1 << 12,
                     .integer_names = {"passes", "shift"},
                     .work_with = ladder_work});
