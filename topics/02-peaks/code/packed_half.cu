// SPDX-License-Identifier: MIT
// Packed half precision: one instruction does two 16-bit multiply-adds.
#include <cstdint>
#include <span>

#include "gpu/gpu.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

// TODO(02.half.kernel): write the kernel with __half2, two elements in one register.
__global__ void half_kernel(std::int64_t n, std::int64_t iterations, float a, float b,
                            const __half* __restrict__ x, __half* __restrict__ y) {
  // __hfma2(x, a, b) works on both halves of a __half2 at once. An odd n leaves one over.
}
// END TODO(02.half.kernel)

/// y[i] = x[i] after `iterations` steps x <- x*a + b, each rounded to 16 bits. a and b are exact in
/// 16 bits.
void packed_half(std::int64_t iterations, float a, float b, gpu::DeviceSpan<const __half> x,
                 gpu::DeviceSpan<__half> y) {
  // TODO(02.half.kernel): launch it.
  harness::unsolved("02.half.kernel", "topics/02-peaks/README.md#half");
  // END TODO(02.half.kernel)
}

harness::Work half_work(std::int64_t n, std::span<const std::int64_t> integers) {
  const auto elements = static_cast<double>(n);
  return {2 * elements * static_cast<double>(integers[0]), 4 * elements};
}

HARNESS_LAB(packed_half, {.integer_scalar = [](std::int64_t, int) -> std::int64_t {
                            return gpu::Features::kIsGpu ? 4096 : 64;
                          },
                          .default_n = gpu::Features::kIsGpu ? 1 << 23 : 1 << 16,
                          .integer_names = {"iterations"},
                          .work_with = half_work});
