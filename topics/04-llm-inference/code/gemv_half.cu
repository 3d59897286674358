// SPDX-License-Identifier: MIT
// GEMV with weights and inputs in FP16, multiplied and added in FP32: half the bytes of FP32.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "gpu/overlap.hpp"
#include "harness/half.hpp"
#include "harness/lab.hpp"

// TODO(04.gemv_half.kernel): write the kernel: convert on the way in, add in FP32.
__global__ void gemv_half_kernel(std::int64_t rows, std::int64_t columns,
                                 const __half* __restrict__ w, const __half* __restrict__ x,
                                 float* __restrict__ y) {
  // A sum kept in __half stops growing at 2048 times its terms. __half2float converts.
}
// END TODO(04.gemv_half.kernel)

/// y = W x on the device, FP32 sums of FP16 products.
/// @param w y.size() rows of x.size() columns, one row after the other
void gemv_half(gpu::DeviceSpan<const __half> w, gpu::DeviceSpan<const __half> x,
               gpu::DeviceSpan<float> y) {
  // TODO(04.gemv_half.kernel): launch it for y.size() rows and x.size() columns.
  harness::unsolved("04.gemv_half.kernel", "topics/04-llm-inference/README.md#gemv-half");
  // END TODO(04.gemv_half.kernel)
}

HARNESS_LAB(gemv_half,
            {.work = [](std::int64_t n) -> harness::Work {
               const auto size = static_cast<double>(n);
               return {2 * size * size, 2 * (size * size + size) + 4 * size};
             },
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n * n : n; },
             .default_n = 8192});
