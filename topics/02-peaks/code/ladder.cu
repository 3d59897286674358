// SPDX-License-Identifier: MIT
// The memory ladder: the same data is read again and again, so that its size determines which
// memory serves it.
// T is double, or a counting number when the work is counted: write T, not double.
#include <algorithm>
#include <cstdint>
#include <span>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

// TODO(02.ladder.kernel): write the kernel. Block b reads one piece of x in every pass.
template <class T>
__global__ void ladder_kernel(std::int64_t n, std::int64_t passes, std::int64_t shift,
                              const T* __restrict__ x, T* __restrict__ sums) {
  // Pieces have (n + gridDim.x - 1) / gridDim.x elements; the last ones may be short or empty.
}
// END TODO(02.ladder.kernel)

/// Block b = 0 .. sums.size() - 1 reads piece (b + pass * shift) mod sums.size() of x in every
/// pass, and sums[b] is the sum of everything it read. With a shift of 0 each block keeps its own
/// piece; with 1 the pieces rotate, so that no cache of a single core or multiprocessor can keep
/// them. Every pass reads every element again: that is what is measured and counted.
template <class T>
void ladder(std::int64_t passes, std::int64_t shift, gpu::DeviceSpan<const T> x,
            gpu::DeviceSpan<T> sums) {
  // TODO(02.ladder.kernel): launch one block for each element of sums.
  harness::unsolved("02.ladder.kernel", "topics/02-peaks/README.md#ladder");
  // END TODO(02.ladder.kernel)
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
