// SPDX-License-Identifier: MIT
// Fused multiply-adds in registers: how many independent chains fill the arithmetic units.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/lab.hpp"

constexpr int kThreads = gpu::Features::kIsGpu ? 128 : 16;

//@solve 02.fma.kernel: write the kernel. Each thread takes kChains elements through all iterations.
template <int kChains>
__global__ void fma_kernel(std::int64_t n, std::int64_t iterations, float a, float b,
                           const float* __restrict__ x, float* __restrict__ y) {
  const std::int64_t threads = (n + kChains - 1) / kChains;
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  constexpr int kSteps = kChains < 128 ? 256 / kChains : 2;
  // A constant number of elements, so that they live in registers.
  float value[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) {
    const std::int64_t i = thread + c * threads;
    value[c] = i < n ? x[i] : 0.0f;
  }
  // Several steps per iteration; otherwise the loop's own counter would take as long as a few
  // chains.
  std::int64_t k = 0;
  for (; k + kSteps <= iterations; k += kSteps) {
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
      // The chains are independent of one another; the steps of one chain are not.
#pragma unroll
      for (int c = 0; c < kChains; ++c) value[c] = fmaf(value[c], a, b);
    }
  }
  for (; k < iterations; ++k) {
#pragma unroll
    for (int c = 0; c < kChains; ++c) value[c] = fmaf(value[c], a, b);
  }
#pragma unroll
  for (int c = 0; c < kChains; ++c) {
    const std::int64_t i = thread + c * threads;
    if (i < n) y[i] = value[c];
  }
}
//@stub
//| template <int kChains>
//| __global__ void fma_kernel(std::int64_t n, std::int64_t iterations, float a, float b,
//|                            const float* __restrict__ x, float* __restrict__ y) {
//|   // float value[kChains] with constant indices lives in registers: that is where the work is.
//| }
//@end

template <int kChains>
void run(std::int64_t iterations, float a, float b, gpu::DeviceSpan<const float> x,
         gpu::DeviceSpan<float> y) {
  const auto n = static_cast<std::int64_t>(x.size());
  const std::int64_t threads = (n + kChains - 1) / kChains;
  gpu::launch<fma_kernel<kChains>>(gpu::blocks_for(threads, kThreads), kThreads, n, iterations, a,
                                   b, x.data(), y.data());
}

/// y[i] = x[i] after `iterations` steps x <- x*a + b.
/// @param chains elements that a thread keeps in registers at once: one of the cases below, or 0
///   for the fastest. It changes the speed, never the result.
void fma_chains(std::int64_t iterations, std::int64_t chains, float a, float b,
                gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> y) {
  //@solve 02.fma.kernel: find the number of chains that is best on your machine.
  // On a CPU eight vector registers: two units with a latency of four steps each.
  constexpr int kBest = gpu::Features::kIsGpu ? 16 : 8 * gpu::kPackWidth<float>;
  //@stub
  //| constexpr int kBest = 1;
  //| harness::unsolved("02.fma.kernel", "topics/02-peaks/README.md#fma");
  //@end
  switch (chains == 0 ? kBest : chains) {
    case 1:
      return run<1>(iterations, a, b, x, y);
    case 2:
      return run<2>(iterations, a, b, x, y);
    case 4:
      return run<4>(iterations, a, b, x, y);
    case 8:
      return run<8>(iterations, a, b, x, y);
    case 16:
      return run<16>(iterations, a, b, x, y);
    case 32:
      return run<32>(iterations, a, b, x, y);
    case 64:
      return run<64>(iterations, a, b, x, y);
    case 96:
      return run<96>(iterations, a, b, x, y);
    case 128:
      return run<128>(iterations, a, b, x, y);
    case 192:
      return run<192>(iterations, a, b, x, y);
    default:
      throw std::invalid_argument("chains must be 0, 1, 2, 4, 8, 16, 32, 64, 96, 128 or 192");
  }
}

// On the command line --chains C means n threads of C elements each; without it n is the number of
// elements.
std::int64_t elements_of(std::int64_t n, std::span<const std::int64_t> integers) {
  return n * std::max<std::int64_t>(1, integers[1]);
}

harness::Work fma_work(std::int64_t n, std::span<const std::int64_t> integers) {
  const auto elements = static_cast<double>(elements_of(n, integers));
  return {2 * elements * static_cast<double>(integers[0]), 8 * elements};
}

HARNESS_LAB(fma_chains,
            {.integer_scalar = [](std::int64_t, int scalar) -> std::int64_t {
               return scalar == 0 ? 4096 : 0;
             },
             .default_n = gpu::Features::kIsGpu ? 1 << 24 : 1 << 17,
             .integer_names = {"iterations", "chains"},
             .work_with = fma_work,
             .buffer_size_with = [](std::int64_t n, std::span<const std::int64_t> integers,
                                    int) { return elements_of(n, integers); }});
