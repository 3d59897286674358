// SPDX-License-Identifier: MIT
// The keys of one head, repeated for the query heads that share it: whether they are read once or
// four times depends on which blocks run side by side.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Query heads that share the keys.
constexpr int kHeads = 4;

// TODO(03.repeat.kernel): write the kernel that copies the keys to every head.
__global__ void repeat_kernel(std::int64_t n, const float* __restrict__ keys,
                              float* __restrict__ heads) {
  // Every number is read and written kHeads times. When?
}
// END TODO(03.repeat.kernel)

/// heads[h * n + i] = keys[i] for h = 0 to kHeads - 1.
/// @param keys n numbers, not changed
/// @param heads kHeads * n numbers; its initial contents are ignored
void repeat(gpu::DeviceSpan<const float> keys, gpu::DeviceSpan<float> heads) {
  // TODO(03.repeat.kernel): launch it with blocks for every head.
  harness::unsolved("03.repeat.kernel", "topics/03-roofline-modeling/README.md#repeat");
  // END TODO(03.repeat.kernel)
}

HARNESS_LAB(repeat,
            {.bytes_per_element = 4 * (1 + kHeads),
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : kHeads * n; },
             .default_n = 1 << 26});
