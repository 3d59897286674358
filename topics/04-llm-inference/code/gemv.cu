// SPDX-License-Identifier: MIT
// GEMV, y = W x, in 32-bit floats: the operation of decode, every weight used once.
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/lanes.hpp"
#include "harness/lab.hpp"

// TODO(04.gemv.kernel): write the kernel: y[r] is row r of W times x.
__global__ void gemv_kernel(std::int64_t rows, std::int64_t columns,
                            const float* __restrict__ w, const float* __restrict__ x,
                            float* __restrict__ y) {
  // Element (r, c) of W is w[r * columns + c].
}
// END TODO(04.gemv.kernel)

/// y = W x on the device.
/// @param w y.size() rows of x.size() columns, one row after the other
/// @param x input vector
/// @param y output vector; with no columns it becomes 0
void gemv(gpu::DeviceSpan<const float> w, gpu::DeviceSpan<const float> x,
          gpu::DeviceSpan<float> y) {
  // TODO(04.gemv.kernel): launch it for y.size() rows and x.size() columns.
  harness::unsolved("04.gemv.kernel", "topics/04-llm-inference/README.md#gemv");
  // END TODO(04.gemv.kernel)
}

HARNESS_LAB(gemv,
            {.work = [](std::int64_t n) -> harness::Work {
               const auto size = static_cast<double>(n);
               return {2 * size * size, 4 * (size * size + 2 * size)};
             },
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? n * n : n; },
             .default_n = 8192});
