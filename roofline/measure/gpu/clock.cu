// SPDX-License-Identifier: MIT
// The core clock of a GPU under load, from its cycle counter and the device timer.
#include <algorithm>
#include <vector>

#include "clock.hpp"
#include "gpu/gpu.hpp"
#include "roofline/measurement.hpp"

namespace roofline::measure {
namespace {

constexpr int kThreads = 1024;
constexpr int kIterations = 1 << 18;
constexpr int kSamples = 5;

__global__ void busy_kernel(long long* cycles, float* out, int iterations) {
  const long long start = clock64();
  float x = static_cast<float>(threadIdx.x);
  float y = x + 1;
  for (int i = 0; i < iterations; ++i) {
    x = fmaf(x, -0.99999f, 0.5f);
    y = fmaf(y, -0.99999f, 0.5f);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start;
}

}  // namespace

std::optional<double> measured_clock_hz(int units) {
  gpu::DeviceBuffer<long long> cycles(static_cast<std::size_t>(units));
  gpu::DeviceBuffer<float> out(static_cast<std::size_t>(units) * kThreads);
  std::vector<double> clocks;
  for (int i = 0; i < kSamples; ++i) {
    gpu::Timer timer;
    gpu::launch<busy_kernel>(units, kThreads, cycles.data(), out.data(), kIterations);
    const double seconds = timer.seconds();
    const std::vector<long long> counted = gpu::to_host(cycles);
    clocks.push_back(static_cast<double>(*std::max_element(counted.begin(), counted.end())) /
                     seconds);
  }
  return summarize(clocks).median;
}

}  // namespace roofline::measure
