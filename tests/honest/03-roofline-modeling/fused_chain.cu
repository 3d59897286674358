// SPDX-License-Identifier: MIT
// One element per thread.
// Earns: 03.fusion.chain-counted | does no more work than allowed
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
__global__ void one_each(std::int64_t n, T s, const T* b, const T* g, T* x) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) x[i] = (s * x[i] + b[i]) * g[i];
}

template <class T>
void fused_chain(T s, gpu::DeviceSpan<const T> b, gpu::DeviceSpan<const T> g,
                 gpu::DeviceSpan<T> x) {
  const auto n = static_cast<std::int64_t>(x.size());
  if (n == 0) return;
  gpu::launch<one_each<T>>(gpu::blocks_for(n, 256), 256, n, s, b.data(), g.data(), x.data());
}

HARNESS_COUNTED_LAB(fused_chain, float, {})
