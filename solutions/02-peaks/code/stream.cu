// SPDX-License-Identifier: MIT
// The four streams of McCalpin's STREAM in 64-bit floats: copy, scale, add, triad.
// T is double, or a counting number when the work is counted: write T, not double.
#include <cmath>
#include <cstdint>

#include "gpu/gpu.hpp"
#include "gpu/vector.hpp"
#include "harness/counted.hpp"

//@solve 02.copy.kernel: write a kernel for each stream, or one template for all four.
enum class Stream { kCopy, kScale, kAdd, kTriad };

// With one input, 1024 threads per block are slower than 512 on some GPUs; with two they are
// faster.
template <Stream stream>
constexpr int kThreads = stream == Stream::kCopy || stream == Stream::kScale ? 512 : 1024;
constexpr int kWidth = 2;  // elements of a sixteen-byte access

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
  using Pair = gpu::Vector<T, kWidth>;
  constexpr bool reads_y = stream == Stream::kAdd || stream == Stream::kTriad;
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n / kWidth) {
    const Pair x_pair = reinterpret_cast<const Pair*>(x)[i];
    const Pair y_pair = reads_y ? reinterpret_cast<const Pair*>(y)[i] : x_pair;
    Pair result;
    result.x = combined<stream>(scalar, x_pair.x, y_pair.x);
    result.y = combined<stream>(scalar, x_pair.y, y_pair.y);
    reinterpret_cast<Pair*>(out)[i] = result;
  }
  // An odd n leaves one element: the first thread takes it.
  if (i < n % kWidth) {
    out[n - 1] = combined<stream>(scalar, x[n - 1], reads_y ? y[n - 1] : x[n - 1]);
  }
}

template <Stream stream, class T>
void run(T scalar, gpu::DeviceSpan<const T> x, gpu::DeviceSpan<const T> y, gpu::DeviceSpan<T> out) {
  const auto n = static_cast<std::int64_t>(out.size());
  const std::int64_t threads = (n + kWidth - 1) / kWidth;
  gpu::launch<stream_kernel<stream, T>>(gpu::blocks_for(threads, kThreads<stream>),
                                        kThreads<stream>, n, scalar, x.data(), y.data(),
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

/// out = x + scalar * y. A template over the number type, so that the grader can count its work.
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
