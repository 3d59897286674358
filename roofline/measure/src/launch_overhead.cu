// SPDX-License-Identifier: MIT
// The cost of starting a kernel.
#include <chrono>

#include "gpu/gpu.hpp"
#include "launch_overhead.hpp"

namespace roofline::measure {
namespace {

__global__ void empty_kernel(int) {}

}  // namespace

Spread launch_seconds(const Sampling& sampling) {
  return summarize(sample_seconds([] { gpu::launch<empty_kernel>(1, 1, 0); }, sampling));
}

Spread round_trip_seconds(const Sampling& sampling) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> seconds;
  for (int i = 0; i < sampling.samples; ++i) {
    const auto start = Clock::now();
    gpu::launch<empty_kernel>(1, 1, 0);
    gpu::synchronize();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return summarize(std::move(seconds));
}

}  // namespace roofline::measure
