// SPDX-License-Identifier: MIT
// bench-saxpy: three ways to write SAXPY, interleaved in one run; the table of topic 02,
// section 2.16.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "gpu/gpu.hpp"

namespace {

constexpr int kThreads = 256;
constexpr int kElements = 4;
constexpr int kTile = kThreads * kElements;
constexpr int kWarmUp = 3;
constexpr int kRounds = 21;
constexpr double kBytesPerElement = 12;  // x and y read, y written

}  // namespace

__global__ void one_element(std::int64_t n, float a, const float* __restrict__ x,
                            float* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaf(a, x[i], y[i]);
}

// In the two kernels below n is a multiple of kTile: the benchmark chooses it accordingly.
__global__ void four_elements(float a, const float* __restrict__ x, float* __restrict__ y) {
  const std::int64_t first = std::int64_t{blockIdx.x} * kTile + threadIdx.x;
  float x_part[kElements];
  float y_part[kElements];
#pragma unroll
  for (int k = 0; k < kElements; ++k) {
    x_part[k] = x[first + k * kThreads];
    y_part[k] = y[first + k * kThreads];
  }
#pragma unroll
  for (int k = 0; k < kElements; ++k) y[first + k * kThreads] = fmaf(a, x_part[k], y_part[k]);
}

__global__ void float4_element(float a, const float4* __restrict__ x, float4* __restrict__ y) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float4 x_part = x[i];
  float4 y_part = y[i];
  y_part.x = fmaf(a, x_part.x, y_part.x);
  y_part.y = fmaf(a, x_part.y, y_part.y);
  y_part.z = fmaf(a, x_part.z, y_part.z);
  y_part.w = fmaf(a, x_part.w, y_part.w);
  y[i] = y_part;
}

namespace {

struct Variant {
  const char* name;
  void (*run)(std::int64_t n, const float* x, float* y);
  std::vector<double> seconds;
};

constexpr float kFactor = 0.001f;

void run_one(std::int64_t n, const float* x, float* y) {
  gpu::launch<one_element>(gpu::blocks_for(n, kThreads), kThreads, n, kFactor, x, y);
}
void run_four(std::int64_t n, const float* x, float* y) {
  gpu::launch<four_elements>(gpu::blocks_for(n, kTile), kThreads, kFactor, x, y);
}
void run_float4(std::int64_t n, const float* x, float* y) {
  gpu::launch<float4_element>(gpu::blocks_for(n, kTile), kThreads, kFactor,
                              reinterpret_cast<const float4*>(x), reinterpret_cast<float4*>(y));
}

double seconds_of(const Variant& variant, std::int64_t n, const float* x, float* y) {
  gpu::Timer timer;
  variant.run(n, x, y);
  return timer.seconds();
}

std::vector<float> random_floats(std::int64_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(static_cast<std::size_t>(n));
  for (float& value : values) value = uniform(generator);
  return values;
}

void print_row(Variant& variant, std::int64_t n) {
  std::vector<double>& times = variant.seconds;
  std::sort(times.begin(), times.end());
  const double bytes = kBytesPerElement * static_cast<double>(n);
  std::printf("%s,%lld,%d,%.1f,%.1f,%.1f\n", variant.name, static_cast<long long>(n), kRounds,
              bytes / times[times.size() / 2] / 1e9, bytes / times.back() / 1e9,
              bytes / times.front() / 1e9);
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t asked = argc > 1 ? std::atoll(argv[1]) : std::int64_t{1} << 26;
  const std::int64_t n = asked / kTile * kTile;
  if (n <= 0 || gpu::device_count() == 0) {
    std::fprintf(stderr, "usage: bench-saxpy [N]   (N >= %d; needs a device)\n", kTile);
    return 1;
  }
  const auto x = gpu::to_device(random_floats(n, 1));
  auto y = gpu::to_device(random_floats(n, 2));
  std::array<Variant, 3> variants{{{"one element per thread", run_one, {}},
                                   {"four elements per thread", run_four, {}},
                                   {"one float4 per thread", run_float4, {}}}};
  for (int round = 0; round < kWarmUp + kRounds; ++round) {
    for (Variant& variant : variants) {
      const double seconds = seconds_of(variant, n, x.data(), y.data());
      if (round >= kWarmUp) variant.seconds.push_back(seconds);
    }
  }
  std::printf("kernel,n,rounds,gb_per_s_median,gb_per_s_min,gb_per_s_max\n");
  for (Variant& variant : variants) print_row(variant, n);
  return 0;
}
