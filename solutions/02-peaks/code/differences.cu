// SPDX-License-Identifier: MIT
// Differences of neighbours: the number that a thread lacks has already been loaded by the adjacent
// lane, and is in one of its registers.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

//@solve 02.differences.kernel: write the kernel: y[i] = x[i + 1] - x[i] for every i < n.
constexpr int kThreads = 256;

__global__ void differences_kernel(std::int64_t n, const float* __restrict__ x,
                                   float* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  // No lane may exit before the exchange, which needs the whole warp.
  const float own = i <= n ? x[i] : 0.0f;
  float next = __shfl_down_sync(gpu::kFullMask, own, 1);
  if (i >= n) return;
  // The warp's last lane has no lane after it.
  if (static_cast<int>(threadIdx.x) % warpSize == warpSize - 1) next = x[i + 1];
  y[i] = next - own;
}
//@stub
//| __global__ void differences_kernel(std::int64_t n, const float* __restrict__ x,
//|                                    float* __restrict__ y) {
//|   // Who has loaded x[i + 1] already?
//| }
//@end

/// y[i] = x[i + 1] - x[i].
/// @param x n + 1 numbers, not changed
/// @param y n numbers; its initial contents are ignored
void differences(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  //@solve 02.differences.kernel: launch it with a thread for every difference.
  const auto n = static_cast<std::int64_t>(y.size());
  if (n == 0) return;
  gpu::launch<differences_kernel>(gpu::blocks_for(n, kThreads), kThreads, n, x.data(), y.data());
  //@stub
  //| harness::unsolved("02.differences.kernel", "topics/02-peaks/README.md#differences");
  //@end
}

HARNESS_LAB(differences,
            {.flops_per_element = 1,
             .bytes_per_element = 8,
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n + 1 : n; },
             .default_n = 1 << 26});
