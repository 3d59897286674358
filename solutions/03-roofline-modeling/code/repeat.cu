// SPDX-License-Identifier: MIT
// The keys of one head, repeated for the query heads that share it: whether they are read once or
// four times depends on which blocks run side by side.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

/// Query heads that share the keys.
constexpr int kHeads = 4;

//@solve 03.repeat.kernel: write the kernel that copies the keys to every head.
constexpr int kThreads = 256;

template <class T>
__global__ void repeat_kernel(std::int64_t n, const T* __restrict__ keys, T* __restrict__ heads) {
  // Adjacent blocks read the same keys, each for one head: what the first of them brings into L2 is
  // there for the others.
  const std::int64_t head = blockIdx.x % kHeads;
  const std::int64_t chunk = blockIdx.x / kHeads;
  const std::int64_t i = chunk * blockDim.x + threadIdx.x;
  if (i < n) heads[head * n + i] = keys[i];
}
//@stub
//| __global__ void repeat_kernel(std::int64_t n, const float* __restrict__ keys,
//|                               float* __restrict__ heads) {
//|   // Every number is read and written kHeads times. When?
//| }
//@end

/// heads[h * n + i] = keys[i] for h = 0 to kHeads - 1.
/// @param keys n numbers, not changed
/// @param heads kHeads * n numbers; its initial contents are ignored
void repeat(gpu::DeviceSpan<const float> keys, gpu::DeviceSpan<float> heads) {
  //@solve 03.repeat.kernel: launch it with blocks for every head.
  constexpr std::int64_t kQuad = 4;
  const auto n = static_cast<std::int64_t>(keys.size());
  if (n == 0) return;
  if (n % kQuad != 0) {  // the heads start where a float4 is not allowed
    gpu::launch<repeat_kernel<float>>(kHeads * gpu::blocks_for(n, kThreads), kThreads, n,
                                      keys.data(), heads.data());
    return;
  }
  const std::int64_t quads = n / kQuad;
  gpu::launch<repeat_kernel<float4>>(kHeads * gpu::blocks_for(quads, kThreads), kThreads, quads,
                                     reinterpret_cast<const float4*>(keys.data()),
                                     reinterpret_cast<float4*>(heads.data()));
  //@stub
  //| harness::unsolved("03.repeat.kernel", "topics/03-roofline-modeling/README.md#repeat");
  //@end
}

HARNESS_LAB(repeat,
            {.bytes_per_element = 4 * (1 + kHeads),
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n : kHeads * n; },
             .default_n = 1 << 26});
