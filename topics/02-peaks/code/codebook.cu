// SPDX-License-Identifier: MIT
// Weights stored as indices into a codebook: the codebook is in shared memory, and the space that
// it takes there limits how many threads are resident.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Entries of the codebook: 32 KiB.
constexpr int kEntries = 8192;

// TODO(02.codebook.kernel): copy the codebook to shared memory, then look the codes up there.
__global__ void codebook_kernel(std::int64_t n, const std::int32_t* __restrict__ codes,
                                const float* __restrict__ book, float* __restrict__ weights) {
  // First all threads load the codebook, then a barrier, then the codes.
}
// END TODO(02.codebook.kernel)

/// weights[i] = book[codes[i]].
/// @param codes n indices, 0 to kEntries - 1, not changed
/// @param book kEntries numbers, not changed
/// @param weights n numbers; its initial contents are ignored
void codebook(gpu::DeviceSpan<const std::int32_t> codes, gpu::DeviceSpan<const float> book,
              gpu::DeviceSpan<float> weights) {
  // TODO(02.codebook.kernel): launch it for n = codes.size() codes.
  harness::unsolved("02.codebook.kernel", "topics/02-peaks/README.md#codebook");
  // END TODO(02.codebook.kernel)
}

HARNESS_LAB(codebook,
            {.bytes_per_element = 8,
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 1 ? kEntries : n; },
             .default_n = 1 << 24});
