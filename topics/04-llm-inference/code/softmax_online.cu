// SPDX-License-Identifier: MIT
// Softmax of rows, with the maximum and the sum found in one pass instead of two.
// T is float, or a counting number when the work is counted: write T, not float.
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/pack.hpp"
#include "harness/counted.hpp"

// TODO(04.softmax.kernel): write the kernel: one pass for maximum and sum, one that writes.
template <class T>
__global__ void softmax_kernel(std::int64_t columns, const T* __restrict__ x,
                               T* __restrict__ y) {
  // When the maximum grows from a to b, the sum so far shrinks by a factor of exp(a - b).
}
// END TODO(04.softmax.kernel)

/// y = softmax(x), row by row, on the device. x is read twice, not three times.
/// @param columns numbers in a row; the length of x and y is a multiple of it, and 0 if it is 0
template <class T>
void softmax_online(std::int64_t columns, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<T> y) {
  // TODO(04.softmax.kernel): launch it for the rows of x.
  harness::unsolved("04.softmax.kernel", "topics/04-llm-inference/README.md#softmax");
  // END TODO(04.softmax.kernel)
}

// The engine uses this instance from another file.
template void softmax_online<float>(std::int64_t columns, gpu::DeviceSpan<const float> x,
                                    gpu::DeviceSpan<float> y);

HARNESS_COUNTED_LAB(softmax_online, float,
                    {.work = [](std::int64_t n) -> harness::Work {
                       const auto count = static_cast<double>(n);
                       return {5 * count, 8 * count};
                     },
                     .integer_scalar = [](std::int64_t n, int) { return n < 4096 ? n : 4096; },
                     .default_n = 1 << 24});
