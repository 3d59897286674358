// SPDX-License-Identifier: MIT
// The core clock of a CPU, from instructions that take exactly one cycle each.
#include <algorithm>
#include <vector>

#include "clock.hpp"
#include "gpu/gpu.hpp"
#include "roofline/measurement.hpp"

namespace roofline::measure {
namespace {

constexpr int kAddsPerIteration = 16;
constexpr int kIterations = 1 << 18;
constexpr int kSamples = 9;

// Dependent register-register additions: one cycle each on every core in use. (Recent cores can
// eliminate the addition of a constant.)
__global__ void additions_kernel(unsigned long* out, int iterations) {
  unsigned long x = 1;
#if defined(__x86_64__)
  for (int i = 0; i < iterations; ++i) {
    asm volatile(
        "add %0,%0\nadd %0,%0\nadd %0,%0\nadd %0,%0\nadd %0,%0\nadd %0,%0\nadd %0,%0\nadd %0,%0\n"
        "add %0,%0\nadd %0,%0\nadd %0,%0\nadd %0,%0\nadd %0,%0\nadd %0,%0\nadd %0,%0\nadd %0,%0\n"
        : "+r"(x));
  }
#elif defined(__aarch64__)
  for (int i = 0; i < iterations; ++i) {
    asm volatile(
        "add %0,%0,%0\nadd %0,%0,%0\nadd %0,%0,%0\nadd %0,%0,%0\n"
        "add %0,%0,%0\nadd %0,%0,%0\nadd %0,%0,%0\nadd %0,%0,%0\n"
        "add %0,%0,%0\nadd %0,%0,%0\nadd %0,%0,%0\nadd %0,%0,%0\n"
        "add %0,%0,%0\nadd %0,%0,%0\nadd %0,%0,%0\nadd %0,%0,%0\n"
        : "+r"(x));
  }
#endif
  out[blockIdx.x] = x + static_cast<unsigned long>(iterations);
}

}  // namespace

std::optional<double> measured_clock_hz(int units) {
#if !defined(__x86_64__) && !defined(__aarch64__)
  return std::nullopt;
#endif
  gpu::DeviceBuffer<unsigned long> out(static_cast<std::size_t>(units));
  std::vector<double> rates;
  for (int i = 0; i < kSamples; ++i) {
    gpu::Timer timer;
    gpu::launch<additions_kernel>(units, 1, out.data(), kIterations);
    rates.push_back(static_cast<double>(kAddsPerIteration) * kIterations / timer.seconds());
  }
  // An interrupted sample shows a clock that is too low; no sample shows one that is too high.
  return *std::max_element(rates.begin(), rates.end());
}

}  // namespace roofline::measure
