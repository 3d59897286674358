// SPDX-License-Identifier: MIT
// Sweep of the arithmetic intensity: one array, and any number of multiply-adds on each element.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cmath>
#include <cstdint>
#include <span>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"

// A thread works on kPacks packs at once: enough independent chains to fill the pipelines of the
// arithmetic units. On a GPU the packs of a thread are a block apart, so that adjacent threads
// always touch adjacent memory.
constexpr bool kGpu = gpu::Features::kIsGpu;
constexpr int kThreads = kGpu ? 256 : 64;
constexpr int kPacks = kGpu ? 4 : 12;
constexpr int kApart = kGpu ? kThreads : 1;
constexpr int kSteps =
    kGpu ? 16 : 2;  // multiply-adds of a chain between two checks of the loop's end

// TODO(03.sweep.kernel): x = a*x + b, iterations times, in registers: one load, one store.
template <class T>
__global__ void sweep_kernel(std::int64_t n, int iterations, T a, T b, T* __restrict__ x) {
  // One dependent chain per thread leaves most of the machine idle: keep several values.
}
// END TODO(03.sweep.kernel)

/// x = a*x + b, `iterations` times, for every element; iterations may be 0.
template <class T>
void sweep(int iterations, T a, T b, gpu::DeviceSpan<T> x) {
  // TODO(03.sweep.kernel): launch enough blocks for n = x.size() elements.
  harness::unsolved("03.sweep.kernel", "topics/03-roofline-modeling/README.md#sweep");
  // END TODO(03.sweep.kernel)
}

// The two ends of the sweep, for the predictions: 0.25 and 250 FLOP/B.
template <class T>
void sweep_1(T a, T b, gpu::DeviceSpan<T> x) {
  sweep<T>(1, a, b, x);
}
template <class T>
void sweep_1000(T a, T b, gpu::DeviceSpan<T> x) {
  sweep<T>(1000, a, b, x);
}

// Run by itself, the program sweeps over the given values: ./sweep --iterations 1,10,100,1000
static harness::Work chain_work(std::int64_t n, std::span<const std::int64_t> integers) {
  const auto elements = static_cast<double>(n);
  return {2 * static_cast<double>(integers[0]) * elements, 2 * sizeof(float) * elements};
}
constexpr std::int64_t kIterations = 1024;

HARNESS_COUNTED_LAB(sweep, float,
                    {.integer_scalar = [](std::int64_t, int) { return kIterations; },
                     .default_n = 1 << 26,
                     .beyond_caches = true,
                     .integer_names = {"iterations"},
                     .work_with = chain_work})
HARNESS_COUNTED_LAB(sweep_1, float, {.flops_per_element = 2, .bytes_per_element = 8})
HARNESS_COUNTED_LAB(sweep_1000, float, {.flops_per_element = 2000, .bytes_per_element = 8})
