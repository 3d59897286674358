// SPDX-License-Identifier: MIT
// The labs' operators as loops on the host: what a lab must agree with, and no lab's solution.
//
// They read device memory, which on the CPU is the host's; the engine is built for the CPU only.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "engine/operators/labs.hpp"
#include "gpu/detail/to_float.hpp"
#include "plain_attention.hpp"

namespace engine {
namespace {

/// y = W x; eight sums in turn, so that they need not wait for one another.
template <class W, class X>
void plain_product(In<W> w, In<X> x, Out<float> y) {
  constexpr std::size_t kSums = 8;
  const std::size_t columns = x.size();
  for (std::size_t r = 0; r < y.size(); ++r) {
    const W* const row = w.data() + r * columns;
    float sums[kSums] = {};
    for (std::size_t c = 0; c < columns; ++c) {
      sums[c % kSums] += gpu::to_float(row[c]) * gpu::to_float(x.data()[c]);
    }
    float all = 0;
    for (const float sum : sums) all += sum;
    y.data()[r] = all;
  }
}

void plain_gemv_int8(In<std::int8_t> q, In<float> scales, In<__half> x, Out<float> y) {
  plain_product(q, x, y);
  for (std::size_t r = 0; r < y.size(); ++r) y.data()[r] *= scales.data()[r];
}

void plain_gemv_int4(In<std::uint8_t> packed, In<__half> scales, In<__half> x, Out<float> y) {
  constexpr auto kGroup = static_cast<std::size_t>(kInt4Group);
  const std::size_t groups = x.size() / kGroup;
  for (std::size_t r = 0; r < y.size(); ++r) {
    float all = 0;
    for (std::size_t g = r * groups; g < (r + 1) * groups; ++g) {
      float sum = 0;
      for (std::size_t c = 0; c < kGroup; ++c) {
        const int stored = packed.data()[(g * kGroup + c) / 2] >> (c % 2 == 0 ? 0 : 4) & 15;
        sum += static_cast<float>(stored - kInt4Zero) *
               gpu::to_float(x.data()[(g - r * groups) * kGroup + c]);
      }
      all += gpu::to_float(scales.data()[g]) * sum;
    }
    y.data()[r] = all;
  }
}

void plain_softmax(std::int64_t columns, In<float> x, Out<float> y) {
  for (std::size_t first = 0; first < x.size(); first += static_cast<std::size_t>(columns)) {
    const float* const row = x.data() + first;
    const float highest = *std::max_element(row, row + columns);
    float total = 0;
    for (std::int64_t c = 0; c < columns; ++c) total += std::exp(row[c] - highest);
    for (std::int64_t c = 0; c < columns; ++c) {
      y.data()[first + static_cast<std::size_t>(c)] = std::exp(row[c] - highest) / total;
    }
  }
}

}  // namespace

LabKernels plain_kernels() {
  return {&plain_product<float, float>,
          &plain_product<__half, __half>,
          &plain_gemv_int8,
          &plain_gemv_int4,
          &plain_attention<__nv_bfloat16>,
          &plain_softmax};
}

}  // namespace engine
