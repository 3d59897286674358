// SPDX-License-Identifier: MIT
// The four streams of McCalpin's STREAM in 64-bit floats: copy, scale, add, triad.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/vector.hpp"
#include "harness/counted.hpp"

//@solve 02.copy.kernel: write a kernel for each stream, or one template for all four.
enum class Stream { kCopy, kScale, kAdd, kTriad };

constexpr int kThreads = 512;
// Sixteen bytes an access, and two accesses to every array before the first result is needed.
constexpr int kWidth = 2;
constexpr int kParts = gpu::Features::kIsGpu ? 2 : 1;

template <Stream stream, class T>
__device__ inline T combined(T scalar, T x, T y) {
  if constexpr (stream == Stream::kCopy) return x;
  if constexpr (stream == Stream::kScale) return scalar * x;
  if constexpr (stream == Stream::kAdd) return x + y;
  if constexpr (stream == Stream::kTriad) return fma(scalar, y, x);
}

template <Stream stream, class T>
__global__ void stream_kernel(std::int64_t n, T scalar, const T* __restrict__ x,
                              const T* __restrict__ y, T* __restrict__ out) {
  using Vector = gpu::Vector<T, kWidth>;
  constexpr bool reads_y = stream == Stream::kAdd || stream == Stream::kTriad;
  const std::int64_t vectors = n / kWidth;
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x * kParts + threadIdx.x;
  Vector x_part[kParts];
  Vector y_part[kParts];
#pragma unroll
  for (int k = 0; k < kParts; ++k) {
    const std::int64_t i = first + k * kThreads;
    if (i < vectors) x_part[k] = reinterpret_cast<const Vector*>(x)[i];
    if (reads_y && i < vectors) y_part[k] = reinterpret_cast<const Vector*>(y)[i];
  }
#pragma unroll
  for (int k = 0; k < kParts; ++k) {
    const std::int64_t i = first + k * kThreads;
    Vector result;
    result.x = combined<stream>(scalar, x_part[k].x, y_part[k].x);
    result.y = combined<stream>(scalar, x_part[k].y, y_part[k].y);
    if (i < vectors) reinterpret_cast<Vector*>(out)[i] = result;
  }
  // An odd n leaves one element: the first thread takes it.
  if (first < n % kWidth)
    out[n - 1] = combined<stream>(scalar, x[n - 1], reads_y ? y[n - 1] : x[n - 1]);
}

template <Stream stream, class T>
void run(T scalar, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y, gpu::DeviceSpan<T> out) {
  const auto n = static_cast<std::int64_t>(out.size());
  const unsigned blocks = gpu::blocks_for(n, std::int64_t{kThreads} * kParts * kWidth);
  gpu::launch<stream_kernel<stream, T>>(blocks, kThreads, n, scalar, x.data(), y.data(),
                                        out.data());
}
//@stub
//| // Thread number blockIdx.x * blockDim.x + threadIdx.x owns an element, as in SAXPY.
//@end

/// out = x. All arrays have the same length and do not overlap.
void copy(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<double> out) {
  //@solve 02.copy.kernel: launch the copy.
  run<Stream::kCopy>(0.0, x, x, out);
  //@stub
  //| harness::unsolved("02.copy.kernel", "topics/02-peaks/README.md#stream");
  //@end
}

/// out = scalar * x.
void scale(double scalar, gpu::DeviceSpan<const double> x, gpu::DeviceSpan<double> out) {
  //@solve 02.scale.kernel: launch the scaling.
  run<Stream::kScale>(scalar, x, x, out);
  //@stub
  //| harness::unsolved("02.scale.kernel", "topics/02-peaks/README.md#stream");
  //@end
}

/// out = x + y.
void add(gpu::DeviceSpan<const double> x, gpu::DeviceSpan<const double> y,
         gpu::DeviceSpan<double> out) {
  //@solve 02.add.kernel: launch the addition.
  run<Stream::kAdd>(0.0, x, y, out);
  //@stub
  //| harness::unsolved("02.add.kernel", "topics/02-peaks/README.md#stream");
  //@end
}

/// out = x + scalar * y. A template over the number, so that the grader can count its work.
template <class T>
void triad(T scalar, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y,
           gpu::DeviceSpan<T> out) {
  //@solve 02.triad.kernel: launch the triad.
  run<Stream::kTriad>(scalar, x, y, out);
  //@stub
  //| harness::unsolved("02.triad.kernel", "topics/02-peaks/README.md#stream");
  //@end
}

constexpr std::int64_t kDefault = 1 << 26;
HARNESS_LAB(copy, {.bytes_per_element = 16, .default_n = kDefault});
HARNESS_LAB(scale, {.flops_per_element = 1, .bytes_per_element = 16, .default_n = kDefault});
HARNESS_LAB(add, {.flops_per_element = 1, .bytes_per_element = 24, .default_n = kDefault});
HARNESS_COUNTED_LAB(triad, double,
                    {.flops_per_element = 2, .bytes_per_element = 24, .default_n = kDefault});
