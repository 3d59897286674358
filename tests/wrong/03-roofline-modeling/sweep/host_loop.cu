// SPDX-License-Identifier: MIT
// Computes in a loop on the host.
// Refused: 03.sweep.kernel | crashed | host code
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/counted.hpp"

template <class T>
void sweep(int iterations, T a, T b, gpu::DeviceSpan<T> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (int step = 0; step < iterations; ++step) x.data()[i] = fma(a, x.data()[i], b);
  }
}

HARNESS_COUNTED_LAB(sweep, float, {})
