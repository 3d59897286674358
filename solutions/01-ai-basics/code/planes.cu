// SPDX-License-Identifier: MIT
// An array of structures becomes a structure of arrays: x y z x y z ... to x x ... y y ... z z ...
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers per point: x, y and z.
constexpr int kFields = 3;

//@solve 01.planes.kernel: write the kernel: field f of point i goes to planes[f * points + i].
constexpr int kThreads = 256;

__global__ void planes_kernel(std::int64_t points, const float* __restrict__ in,
                              float* __restrict__ planes) {
  // Lanes read 3 numbers apart, which are in different banks: 3 and 32 have no common divisor.
  __shared__ float tile[kThreads * kFields];
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads;
  for (int i = thread; i < kThreads * kFields; i += kThreads) {
    if (first * kFields + i < points * kFields) tile[i] = in[first * kFields + i];
  }
  __syncthreads();  // a thread writes what others have loaded
  if (first + thread >= points) return;
  for (int field = 0; field < kFields; ++field) {
    planes[field * points + first + thread] = tile[thread * kFields + field];
  }
}
//@stub
//| __global__ void planes_kernel(std::int64_t points, const float* __restrict__ in,
//|                               float* __restrict__ planes) {
//|   // A thread owns a point. Which three numbers should it load?
//| }
//@end

/// planes[f * points + i] = in[3 i + f], for the fields f = 0, 1, 2 of every point i.
/// @param in 3 x points numbers, point by point, not changed
/// @param planes 3 x points numbers, those of a field together; its initial contents are ignored
void planes(gpu::DeviceSpan<const float> in, gpu::DeviceSpan<float> planes) {
  //@solve 01.planes.kernel: launch it with a thread for every point.
  const auto points = static_cast<std::int64_t>(in.size()) / kFields;
  if (points == 0) return;
  gpu::launch<planes_kernel>(gpu::blocks_for(points, kThreads), kThreads, points, in.data(),
                             planes.data());
  //@stub
  //| harness::unsolved("01.planes.kernel", "topics/01-ai-basics/README.md#planes");
  //@end
}

HARNESS_LAB(planes, {.bytes_per_element = 8 * kFields,
                     .buffer_size = [](std::int64_t n, int) { return kFields * n; },
                     .default_n = 1 << 24});
