// SPDX-License-Identifier: MIT
// Plain loops, as a C++ programmer would write them for speed.
#include "native_loops.hpp"

#include "kernels.hpp"

namespace bench {

void native_saxpy(std::int64_t n, float a, const float* __restrict__ x, float* __restrict__ y) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

void native_triad(std::int64_t n, float* __restrict__ a, const float* __restrict__ b, float s,
                  const float* __restrict__ c) {
#pragma omp parallel for
  for (std::int64_t i = 0; i < n; ++i) a[i] = b[i] + s * c[i];
}

// n is a multiple of 64; vectorising takes that many independent sums.
float native_sum(std::int64_t n, const float* x) {
  constexpr std::int64_t kLanes = 64;
  float total = 0;
#pragma omp parallel reduction(+ : total)
  {
    float sums[kLanes] = {};
#pragma omp for
    for (std::int64_t row = 0; row < n / kLanes; ++row) {
      for (std::int64_t lane = 0; lane < kLanes; ++lane) sums[lane] += x[row * kLanes + lane];
    }
    for (const float sum : sums) total += sum;
  }
  return total;
}

// Vectors as wide as this processor's registers, which all stay in registers.
float native_fma(int steps, float start) {
  using Vector = float __attribute__((vector_size(gpu::kPackBytes)));
  Vector chain[kFmaVectors];
  for (int v = 0; v < kFmaVectors; ++v) chain[v] = Vector{} + (start + static_cast<float>(v));
  for (int step = 0; step < steps; ++step) {
    for (auto& vector : chain) vector = vector * 0.999f + 0.001f;
  }
  Vector sum{};
  for (const auto& vector : chain) sum += vector;
  float total = 0;
  for (int lane = 0; lane < kFmaChains / kFmaVectors; ++lane) total += sum[lane];
  return total;
}

}  // namespace bench
