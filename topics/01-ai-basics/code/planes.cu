// SPDX-License-Identifier: MIT
// An array of structures becomes a structure of arrays: x y z x y z ... to x x ... y y ... z z ...
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers per point: x, y and z.
constexpr int kFields = 3;

// TODO(01.planes.kernel): write the kernel: field f of point i goes to planes[f * points + i].
__global__ void planes_kernel(std::int64_t points, const float* __restrict__ in,
                              float* __restrict__ planes) {
  // A thread owns a point. Which three numbers should it load?
}
// END TODO(01.planes.kernel)

/// planes[f * points + i] = in[3 i + f], for the fields f = 0, 1, 2 of every point i.
/// @param in 3 x points numbers, point by point, not changed
/// @param planes 3 x points numbers, those of a field together; its initial contents are ignored
void planes(gpu::DeviceSpan<const float> in, gpu::DeviceSpan<float> planes) {
  // TODO(01.planes.kernel): launch it with a thread for every point.
  harness::unsolved("01.planes.kernel", "topics/01-ai-basics/README.md#planes");
  // END TODO(01.planes.kernel)
}

HARNESS_LAB(planes, {.bytes_per_element = 8 * kFields,
                     .buffer_size = [](std::int64_t n, int) { return kFields * n; },
                     .default_n = 1 << 24});
