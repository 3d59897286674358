// SPDX-License-Identifier: MIT
// Blocks of 96 threads, the last one short.
// Earns: 01.planes.coalesced | within the limits
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Numbers per point: x, y and z.
constexpr int kFields = 3;

__global__ void planes_kernel(std::int64_t points, const float* __restrict__ in,
                              float* __restrict__ planes) {
  __shared__ float t[3 * 96];
  const std::int64_t first = std::int64_t{blockIdx.x} * 96;
  const int here = static_cast<int>(points - first < 96 ? points - first : 96);
  for (int k = threadIdx.x; k < 3 * here; k += 96) t[k] = in[3 * first + k];
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < here)
    for (int f = 0; f < 3; ++f) planes[f * points + first + threadIdx.x] = t[3 * threadIdx.x + f];
}

/// planes[f * points + i] = in[3 i + f], for the fields f = 0, 1, 2 of every point i.
/// @param in 3 x points numbers, point by point, not changed
/// @param planes 3 x points numbers, those of a field together; its initial contents are ignored
void planes(gpu::DeviceSpan<const float> in, gpu::DeviceSpan<float> planes) {
  const auto points = static_cast<std::int64_t>(in.size()) / kFields;
  if (points == 0) return;
  gpu::launch<planes_kernel>(gpu::blocks_for(points, 96), 96, points, in.data(), planes.data());
}

HARNESS_LAB(planes, {.bytes_per_element = 8 * kFields,
                     .buffer_size = [](std::int64_t n, int) { return kFields * n; },
                     .default_n = 1 << 24});
