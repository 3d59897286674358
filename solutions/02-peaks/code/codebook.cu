// SPDX-License-Identifier: MIT
// Weights stored as indices into a codebook: the codebook is in shared memory, and the space that
// it takes there limits how many threads are resident.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Entries of the codebook: 32 KiB.
constexpr int kEntries = 8192;

//@solve 02.codebook.kernel: copy the codebook to shared memory, then look the codes up there.
// A block pays for the codebook once, whatever its size: share it among many threads.
constexpr int kThreads = 512;
constexpr std::int64_t kCodesPerThread = 8;

__global__ void codebook_kernel(std::int64_t n, const std::int32_t* __restrict__ codes,
                                const float* __restrict__ book, float* __restrict__ weights) {
  __shared__ float entries[kEntries];
  const int thread = static_cast<int>(threadIdx.x);
  for (int i = thread; i < kEntries; i += kThreads) entries[i] = book[i];
  __syncthreads();  // any thread may look up any entry
  const std::int64_t begin = std::int64_t{blockIdx.x} * kThreads * kCodesPerThread;
  for (int k = 0; k < kCodesPerThread; ++k) {
    const std::int64_t i = begin + k * kThreads + thread;
    if (i < n) weights[i] = entries[codes[i]];
  }
}
//@stub
//| __global__ void codebook_kernel(std::int64_t n, const std::int32_t* __restrict__ codes,
//|                                 const float* __restrict__ book, float* __restrict__ weights) {
//|   // First all threads load the codebook, then a barrier, then the codes.
//| }
//@end

/// weights[i] = book[codes[i]].
/// @param codes n indices, 0 to kEntries - 1, not changed
/// @param book kEntries numbers, not changed
/// @param weights n numbers; its initial contents are ignored
void codebook(gpu::DeviceSpan<const std::int32_t> codes, gpu::DeviceSpan<const float> book,
              gpu::DeviceSpan<float> weights) {
  //@solve 02.codebook.kernel: launch it for n = codes.size() codes.
  const auto n = static_cast<std::int64_t>(codes.size());
  if (n == 0) return;
  gpu::launch<codebook_kernel>(gpu::blocks_for(n, kThreads * kCodesPerThread), kThreads, n,
                               codes.data(), book.data(), weights.data());
  //@stub
  //| harness::unsolved("02.codebook.kernel", "topics/02-peaks/README.md#codebook");
  //@end
}

HARNESS_LAB(codebook,
            {.bytes_per_element = 8,
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 1 ? kEntries : n; },
             .default_n = 1 << 24});
