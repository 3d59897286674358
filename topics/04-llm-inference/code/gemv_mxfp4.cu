// SPDX-License-Identifier: MIT
// GEMV with weights in MXFP4: E2M1 in blocks of 32 that share a scale in E8M0; inputs in FP32.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/vector.hpp"
#include "harness/counted.hpp"

/// Adjacent weights of a row that share a scale.
constexpr int kBlock = 32;

// TODO(04.gemv_mxfp4.kernel): write the kernel: unpack, sum inside a block, scale the block's sum.
template <class T>
__global__ void gemv_mxfp4_kernel(std::int64_t rows, std::int64_t columns,
                                  const std::uint8_t* __restrict__ packed,
                                  const std::uint8_t* __restrict__ scales, const T* __restrict__ x,
                                  T* __restrict__ y) {
  // Byte j of a row holds column 2 j in its low four bits and column 2 j + 1 in its high four.
}
// END TODO(04.gemv_mxfp4.kernel)

/// y = W x on the device, with W[r][c] = scale of block c / kBlock of row r, times E2M1.
/// @param packed y.size() rows of x.size() / 2 bytes; x.size() is a multiple of kBlock
/// @param scales y.size() rows of x.size() / kBlock codes of E8M0; 255 is NaN
template <class T>
void gemv_mxfp4(gpu::DeviceSpan<const std::uint8_t> packed,
                gpu::DeviceSpan<const std::uint8_t> scales, gpu::DeviceSpan<const T> x,
                gpu::DeviceSpan<T> y) {
  // TODO(04.gemv_mxfp4.kernel): launch it for y.size() rows and x.size() columns.
  harness::unsolved("04.gemv_mxfp4.kernel", "topics/04-llm-inference/README.md#mxfp4-lab");
  // END TODO(04.gemv_mxfp4.kernel)
}

HARNESS_COUNTED_LAB(gemv_mxfp4, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const auto size = static_cast<double>(n);
                       return {2 * size * size, size * size * (0.5 + 1.0 / kBlock) + 8 * size};
                     },
                     .buffer_size =
                         [](std::int64_t n, int buffer) {
                           if (buffer == 0) return n * n / 2;
                           return buffer == 1 ? n * n / kBlock : n;
                         },
                     .integer_element =
                         [](std::int64_t, int buffer, std::int64_t index) {
                           const std::int64_t drawn = index * 2654435761 % 256;
                           return buffer == 0 ? drawn : 124 + drawn % 4;
                         },
                     .default_n = 8192});
