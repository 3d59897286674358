// SPDX-License-Identifier: MIT
// The four streams of McCalpin's STREAM in 64-bit floats: copy, scale, add, triad.
// T is double, or a counting number when the work is counted: write T, not double.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/vector.hpp"
#include "harness/counted.hpp"

// TODO(02.copy.kernel): write a kernel for each stream, or one template for all four.
// Thread number blockIdx.x * blockDim.x + threadIdx.x owns an element, as in SAXPY.
// END TODO(02.copy.kernel)

/// out = x. All arrays have the same length and do not overlap.
void copy(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<double> out) {
  // TODO(02.copy.kernel): launch the copy.
  harness::unsolved("02.copy.kernel", "topics/02-peaks/README.md#stream");
  // END TODO(02.copy.kernel)
}

/// out = scalar * x.
void scale(double scalar, gpu::DeviceSpan<const double> x, gpu::DeviceSpan<double> out) {
  // TODO(02.scale.kernel): launch the scaling.
  harness::unsolved("02.scale.kernel", "topics/02-peaks/README.md#stream");
  // END TODO(02.scale.kernel)
}

/// out = x + y.
void add(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<const double> y,
         gpu::DeviceSpan<double> out) {
  // TODO(02.add.kernel): launch the addition.
  harness::unsolved("02.add.kernel", "topics/02-peaks/README.md#stream");
  // END TODO(02.add.kernel)
}

/// out = x + scalar * y. A template over the number type, so that the grader can count its work.
template <class T>
void triad(T scalar, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y,
           gpu::DeviceSpan<T> out) {
  // TODO(02.triad.kernel): launch the triad.
  harness::unsolved("02.triad.kernel", "topics/02-peaks/README.md#stream");
  // END TODO(02.triad.kernel)
}

constexpr std::int64_t kDefault = 1 << 26;
HARNESS_LAB(copy, {.bytes_per_element = 16, .default_n = kDefault, .beyond_caches = true});
HARNESS_LAB(scale, {.flops_per_element = 1,
                    .bytes_per_element = 16,
                    .default_n = kDefault,
                    .beyond_caches = true});
HARNESS_LAB(add, {.flops_per_element = 1,
                  .bytes_per_element = 24,
                  .default_n = kDefault,
                  .beyond_caches = true});
HARNESS_COUNTED_LAB(triad, double,
                    {.flops_per_element = 2,
                     .bytes_per_element = 24,
                     .default_n = kDefault,
                     .beyond_caches = true});
