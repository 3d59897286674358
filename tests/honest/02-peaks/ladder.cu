// SPDX-License-Identifier: MIT
// Blocks of 64 threads, whose first thread adds up.
// Earns: 02.ladder.kernel | right for 15 sizes
#include <algorithm>
#include <cstdint>
#include <span>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void ladder_kernel(std::int64_t n, std::int64_t passes, std::int64_t shift,
                              const T* __restrict__ x, T* __restrict__ sums) {
  __shared__ T part[64];
  const std::int64_t pieces = gridDim.x;
  const std::int64_t length = (n + pieces - 1) / pieces;
  T own = 0;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    const std::int64_t piece = (blockIdx.x + pass * shift) % pieces;
    const std::int64_t begin = piece * length;
    const std::int64_t end = begin + length < n ? begin + length : n;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += 64) own += x[i];
  }
  part[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x == 0) {
    T s = 0;
    for (int t = 0; t < 64; ++t) s += part[t];
    sums[blockIdx.x] = s;
  }
}

/// Block b = 0 .. sums.size() - 1 reads piece (b + pass * shift) mod sums.size() of x in every
/// pass, and sums[b] is the sum of everything it read. With a shift of 0 each block keeps its own
/// piece; with 1 the pieces rotate, so that no cache of a single core or multiprocessor can keep
/// them. Every pass reads every element again: that is what is measured and counted.
template <class T>
void ladder(std::int64_t passes, std::int64_t shift, gpu::DeviceSpan<const T> x,
            gpu::DeviceSpan<T> sums) {
  gpu::launch<ladder_kernel<T>>(static_cast<unsigned>(sums.size()), 64,
                                static_cast<std::int64_t>(x.size()), passes, shift, x.data(),
                                sums.data());
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
