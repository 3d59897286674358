// SPDX-License-Identifier: MIT
// GEMV with 8-bit weights and one scale per row, dequantised on the way into the product (W8A16).
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"
#include "gpu/packed/pair_dot.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

// TODO(04.gemv_int8.kernel): write the kernel: sum q x over a row, and scale the sum once.
__global__ void gemv_int8_kernel(std::int64_t rows, std::int64_t columns,
                                 const std::int8_t* __restrict__ q,
                                 const float* __restrict__ scales, const __half* __restrict__ x,
                                 float* __restrict__ y) {
  // The weights never exist as 16-bit numbers in memory: that would cost the traffic again.
}
// END TODO(04.gemv_int8.kernel)

/// y[r] = scales[r] * sum over c of q[r][c] x[c], on the device.
/// @param q y.size() rows of x.size() 8-bit weights
void gemv_int8(gpu::DeviceSpan<const std::int8_t> q, gpu::DeviceSpan<const float> scales,
               gpu::DeviceSpan<const __half> x, gpu::DeviceSpan<float> y) {
  // TODO(04.gemv_int8.kernel): launch it for y.size() rows and x.size() columns.
  harness::unsolved("04.gemv_int8.kernel", "topics/04-llm-inference/README.md#quantised");
  // END TODO(04.gemv_int8.kernel)
}

HARNESS_LAB(gemv_int8,
            {.work = [](std::int64_t n) -> harness::Work {
               const auto size = static_cast<double>(n);
               return {2 * size * size, size * size + (4 + 2 + 4) * size};
             },
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n * n : n; },
             .default_n = 8192});
