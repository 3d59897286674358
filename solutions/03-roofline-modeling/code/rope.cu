// SPDX-License-Identifier: MIT
// Rotary positions: adjacent numbers are rotated as a pair, and the lanes of a warp need not
// diverge to do so.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

//@solve 03.rope.kernel: write the kernel that rotates every pair.
constexpr int kThreads = 256;

__global__ void rope_kernel(std::int64_t pairs, const float* __restrict__ x,
                            const float* __restrict__ turns, float* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  // A thread owns both numbers of a pair, so all lanes do the same.
  const float2 pair = reinterpret_cast<const float2*>(x)[i];
  const float2 turn = reinterpret_cast<const float2*>(turns)[i];
  reinterpret_cast<float2*>(y)[i] =
      make_float2(pair.x * turn.x - pair.y * turn.y, pair.x * turn.y + pair.y * turn.x);
}
//@stub
//| __global__ void rope_kernel(std::int64_t pairs, const float* __restrict__ x,
//|                             const float* __restrict__ turns, float* __restrict__ y) {
//|   // Which thread owns what?
//| }
//@end

/// y[2i] = c x[2i] - s x[2i + 1] and y[2i + 1] = s x[2i] + c x[2i + 1], with c = turns[2i] and
/// s = turns[2i + 1].
/// @param x 2 x pairs numbers, not changed
/// @param turns cosine and sine of every pair's angle, not changed
/// @param y 2 x pairs numbers; its initial contents are ignored
void rope(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<const float> turns,
          gpu::DeviceSpan<float> y) {
  //@solve 03.rope.kernel: launch it for all pairs.
  const auto pairs = static_cast<std::int64_t>(x.size()) / 2;
  if (pairs == 0) return;
  gpu::launch<rope_kernel>(gpu::blocks_for(pairs, kThreads), kThreads, pairs, x.data(),
                           turns.data(), y.data());
  //@stub
  //| harness::unsolved("03.rope.kernel", "topics/03-roofline-modeling/README.md#rope");
  //@end
}

HARNESS_LAB(rope, {.flops_per_element = 6,
                   .bytes_per_element = 24,
                   .buffer_size = [](std::int64_t n, int) { return 2 * n; },
                   .default_n = 1 << 24});
