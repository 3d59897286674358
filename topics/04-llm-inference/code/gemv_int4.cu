// SPDX-License-Identifier: MIT
// GEMV with 4-bit weights in groups of 128 that share a scale, dequantised on the fly (W4A16).
#include <cstdint>
#include <type_traits>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"
#include "gpu/packed/nibbles.hpp"
#include "gpu/packed/pair_dot.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

/// Adjacent weights of a row that share a scale.
constexpr int kGroup = 128;
/// The zero point of a stored 0..15: weight = scale * (stored - kZero).
constexpr int kZero = 8;

// TODO(04.gemv_int4.kernel): write the kernel: unpack, sum inside a group, scale the group's sum.
__global__ void gemv_int4_kernel(std::int64_t rows, std::int64_t columns,
                                 const std::uint8_t* __restrict__ packed,
                                 const __half* __restrict__ scales,
                                 const __half* __restrict__ x, float* __restrict__ y) {
  // Byte j of a row holds column 2 j in its low four bits and column 2 j + 1 in its high four.
}
// END TODO(04.gemv_int4.kernel)

/// y = W x on the device, with W[r][c] = scales[r][c / kGroup] * (stored[r][c] - kZero).
/// @param packed y.size() rows of x.size() / 2 bytes; x.size() is a multiple of kGroup
/// @param scales y.size() rows of x.size() / kGroup
void gemv_int4(gpu::DeviceSpan<const std::uint8_t> packed, gpu::DeviceSpan<const __half> scales,
               gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<float> y) {
  // TODO(04.gemv_int4.kernel): launch it for y.size() rows and x.size() columns.
  harness::unsolved("04.gemv_int4.kernel", "topics/04-llm-inference/README.md#quantised");
  // END TODO(04.gemv_int4.kernel)
}

HARNESS_LAB(gemv_int4,
            {.work = [](std::int64_t n) -> harness::Work {
               const auto size = static_cast<double>(n);
               return {2 * size * size, size * size * (0.5 + 2.0 / kGroup) + 6 * size};
             },
             .buffer_size =
                 [](std::int64_t n, int buffer) {
                   if (buffer == 0) return n * n / 2;
                   return buffer == 1 ? n * n / kGroup : n;
                 },
             .integer_element = [](std::int64_t, int,
                                   std::int64_t index) { return index * 2654435761 % 256; },
             .default_n = 8192});
