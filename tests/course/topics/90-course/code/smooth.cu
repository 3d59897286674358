// SPDX-License-Identifier: MIT
// Starter of the test course's smooth.
#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
void smooth(gpu::DeviceSpan<const T>, gpu::DeviceSpan<T>) {
  harness::unsolved("90.smooth", "README.md#smooth");
}

HARNESS_COUNTED_LAB(smooth, float, {.flops_per_element = 1, .bytes_per_element = 8})
