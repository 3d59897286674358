// SPDX-License-Identifier: MIT
// BatchDot number by number: lanes pass their inputs around.
#pragma once

#include "gpu/lanes.hpp"

namespace gpu {

template <class T>
class BatchDot {
 public:
  static constexpr int kHeld = 4;

  __device__ __forceinline__ void add(const uint4& first, const uint4& second, const uint4& x) {
    for (int c = 0; c < kInputs; ++c) {
      const int from = 4 * c + lane() % 4;
      const auto word = [&](unsigned own) { return __shfl_sync(kFullMask, own, from, kLanes); };
      const unsigned inputs[] = {word(x.x), word(x.y), word(x.z), word(x.w)};
      add_words({first.x, first.y, first.z, first.w}, inputs, sums_[c]);
      add_words({second.x, second.y, second.z, second.w}, inputs, sums_[kInputs + c]);
    }
  }
  __device__ __forceinline__ void totals(T (&to)[kHeld]) const {
    T sums[2 * kInputs];
    for (int i = 0; i < 2 * kInputs; ++i) sums[i] = sums_[i];
    team_sums<4>(sums);
    for (int i = 0; i < kHeld; ++i) to[i] = sums[i];
  }
  __device__ __forceinline__ static int row(int i) {
    return lane() / 4 + 8 * ((lane() % 4 * kHeld + i) / kInputs);
  }
  __device__ __forceinline__ static int input(int i) { return (lane() % 4 * kHeld + i) % kInputs; }

 private:
  static constexpr int kLanes = 32;
  static constexpr int kInputs = 8;

  __device__ __forceinline__ static int lane() { return static_cast<int>(threadIdx.x) % kLanes; }
  __device__ __forceinline__ static void add_words(const unsigned (&a)[4], const unsigned (&b)[4],
                                                   T& sum) {
    for (int i = 0; i < 4; ++i) {
      const float2 left = __half22float2(half2_of(a[i]));
      const float2 right = __half22float2(half2_of(b[i]));
      sum = fmaf(T(left.y), T(right.y), fmaf(T(left.x), T(right.x), sum));
    }
  }

  T sums_[2 * kInputs] = {};  // of the first and the second row, over this lane's columns
};

}  // namespace gpu
