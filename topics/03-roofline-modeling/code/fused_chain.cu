// SPDX-License-Identifier: MIT
// Fusion: three element-wise operations, x = (s*x + b) * g, as three kernels and as one.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"

constexpr int kThreads = 256;

// TODO(03.fusion.chain): one pass over the memory: x, b and g are read once, x is written once.
template <class T>
__global__ void fused_chain_kernel(std::int64_t n, T s, const T* __restrict__ b,
                                   const T* __restrict__ g, T* __restrict__ x) {
  // What the three kernels below keep in memory between them stays in a register here.
}
// END TODO(03.fusion.chain)

/// x = (s*x + b) * g, element by element; the three arrays have equal lengths and do not overlap.
template <class T>
void fused_chain(T s, gpu::DeviceSpan<const T> b, gpu::DeviceSpan<const T> g,
                 gpu::DeviceSpan<T> x) {
  // TODO(03.fusion.chain): launch it with enough threads for n = x.size() elements.
  harness::unsolved("03.fusion.chain", "topics/03-roofline-modeling/README.md#fusion");
  // END TODO(03.fusion.chain)
}

// The same the way a framework runs it: three kernels, each of which reads and writes whole arrays.
// Given for comparison: ./fused_chain measures both.

template <class T>
struct Scale {
  T s;
  __device__ gpu::Pack<T> pack(const gpu::Pack<T>& x, std::int64_t) const {
    return gpu::Pack<T>(s) * x;
  }
  __device__ T one(const T& x, std::int64_t) const { return s * x; }
};
template <class T>
struct Add {
  const T* b;
  __device__ gpu::Pack<T> pack(const gpu::Pack<T>& x, std::int64_t i) const {
    return x + gpu::load_pack(b + i);
  }
  __device__ T one(const T& x, std::int64_t i) const { return x + b[i]; }
};
template <class T>
struct Multiply {
  const T* g;
  __device__ gpu::Pack<T> pack(const gpu::Pack<T>& x, std::int64_t i) const {
    return x * gpu::load_pack(g + i);
  }
  __device__ T one(const T& x, std::int64_t i) const { return x * g[i]; }
};

template <class T, class Operation>
__global__ void in_place_kernel(std::int64_t n, Operation operation, T* __restrict__ x) {
  constexpr int kWidth = gpu::kPackWidth<T>;
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / kWidth) {
    gpu::store_pack(x + i * kWidth, operation.pack(gpu::load_pack(x + i * kWidth), i * kWidth));
  }
  if (i < n % kWidth) x[n - 1 - i] = operation.one(x[n - 1 - i], n - 1 - i);
}

template <class T>
void separate_chain(T s, gpu::DeviceSpan<const T> b, gpu::DeviceSpan<const T> g,
                    gpu::DeviceSpan<T> x) {
  const auto n = static_cast<std::int64_t>(x.size());
  const unsigned blocks = gpu::blocks_for(n, kThreads * gpu::kPackWidth<T>);
  gpu::launch<in_place_kernel<T, Scale<T>>>(blocks, kThreads, n, Scale<T>{s}, x.data());
  gpu::launch<in_place_kernel<T, Add<T>>>(blocks, kThreads, n, Add<T>{b.data()}, x.data());
  gpu::launch<in_place_kernel<T, Multiply<T>>>(blocks, kThreads, n, Multiply<T>{g.data()},
                                               x.data());
}

HARNESS_COUNTED_LAB(
    fused_chain, float,
    {.flops_per_element = 3, .bytes_per_element = 16, .default_n = 1 << 26, .beyond_caches = true})
HARNESS_COUNTED_LAB(
    separate_chain, float,
    {.flops_per_element = 3, .bytes_per_element = 32, .default_n = 1 << 26, .beyond_caches = true})
