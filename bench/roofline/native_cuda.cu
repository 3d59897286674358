// SPDX-License-Identifier: MIT
// Streams and FMA loops written by hand for NVIDIA GPUs, without any code of this project.
#include <cuda_runtime.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "native_rates.hpp"

namespace bench {
namespace {

constexpr int kSamples = 20;
constexpr std::size_t kElements = std::size_t{1} << 28;  // 2 GiB of doubles
constexpr int kFmaIterations = 2048;
constexpr int kChains = 16;
constexpr int kUnrolled = 8;

void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
}

__global__ void fill(double2* a, std::size_t n, double scale) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    a[i] =
        make_double2(scale * static_cast<double>(i % 1013), scale + static_cast<double>(i % 997));
  }
}

// One element of 16 bytes per thread and all threads at once: the simplest form.
__global__ void triad(double2* a, const double2* b, const double2* c, double s, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] = make_double2(b[i].x + s * c[i].x, b[i].y + s * c[i].y);
}

__global__ void copy(double2* a, const double2* b, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i];
}

__global__ void write(double2* a, double s, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) a[i] = make_double2(s, s);
}

__global__ void read(double* out, const double2* a, std::size_t n) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  double x = 0, y = 0;
#pragma unroll 8
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
    const double2 v = a[i];
    x += v.x;
    y += v.y;
  }
  if (x + y == -1) *out = x;  // never true, but the compiler cannot know
}

template <class T>
__global__ void fma_chains(T* out, T a, T b) {
  T x[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) x[c] = static_cast<T>(0.5 + 0.01 * (threadIdx.x + c));
  for (int i = 0; i < kFmaIterations; ++i) {
#pragma unroll
    for (int u = 0; u < kUnrolled; ++u) {
#pragma unroll
      for (int c = 0; c < kChains; ++c) x[c] = fma(x[c], a, b);
    }
  }
  T sum = 0;
#pragma unroll
  for (int c = 0; c < kChains; ++c) sum += x[c];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <class Launch>
double median_seconds(const Launch& launch) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  std::vector<float> milliseconds(kSamples);
  launch();
  for (float& sample : milliseconds) {
    check(cudaEventRecord(start));
    launch();
    check(cudaEventRecord(stop));
    check(cudaEventSynchronize(stop));
    check(cudaEventElapsedTime(&sample, start, stop));
  }
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  std::sort(milliseconds.begin(), milliseconds.end());
  return 1e-3 * milliseconds[kSamples / 2];
}

template <class T>
double fma_rate(int multiprocessors, void* memory) {
  const int blocks = 2 * multiprocessors;
  const int threads = 1024;
  const double seconds = median_seconds([&] {
    fma_chains<T><<<blocks, threads>>>(static_cast<T*>(memory), static_cast<T>(-0.99999),
                                       static_cast<T>(0.7));
  });
  return 2.0 * kFmaIterations * kUnrolled * kChains * blocks * threads / seconds;
}

}  // namespace

Rates native_rates(const roofline::DeviceInfo&) {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  const std::size_t n = kElements / 2;
  double2* arrays[3];
  for (double2*& array : arrays) {
    check(cudaMalloc(&array, n * sizeof(double2)));
    fill<<<1024, 512>>>(array, n, 1e-3);
  }
  const unsigned blocks = static_cast<unsigned>((n + 511) / 512);
  const double bytes = static_cast<double>(kElements) * sizeof(double);
  Rates rates;
  rates["triad"] = 3 * bytes / median_seconds([&] {
                     triad<<<blocks, 512>>>(arrays[0], arrays[1], arrays[2], 0.75, n);
                   });
  rates["copy"] =
      2 * bytes / median_seconds([&] { copy<<<blocks, 512>>>(arrays[0], arrays[1], n); });
  rates["write"] = bytes / median_seconds([&] { write<<<blocks, 512>>>(arrays[0], 0.75, n); });
  rates["read"] = bytes / median_seconds([&] {
                    read<<<8 * device.multiProcessorCount, 512>>>(
                        reinterpret_cast<double*>(arrays[0]), arrays[1], n);
                  });
  rates["fp32.vector"] = fma_rate<float>(device.multiProcessorCount, arrays[0]);
  rates["fp64.vector"] = fma_rate<double>(device.multiProcessorCount, arrays[0]);
  check(cudaGetLastError());
  for (double2* array : arrays) check(cudaFree(array));
  return rates;
}

}  // namespace bench
