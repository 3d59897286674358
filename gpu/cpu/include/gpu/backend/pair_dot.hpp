// SPDX-License-Identifier: MIT
// PairDot number by number.
#pragma once

#include "gpu/lanes.hpp"

namespace gpu {

class PairDot {
 public:
  static constexpr bool kKeepsSubnormals = true;

  PairDot plus(const unsigned (&first)[2], const unsigned (&second)[2],
               const unsigned (&x)[2]) const {
    PairDot result = *this;
    for (int i = 0; i < 2; ++i) {
      result.first_ = add_pair(first[i], x[i], result.first_);
      result.second_ = add_pair(second[i], x[i], result.second_);
    }
    return result;
  }
  void add_scaled(const PairDot& other, float first, float second) {
    first_ = fmaf(first, other.first_, first_);
    second_ = fmaf(second, other.second_, second_);
  }
  float first() const { return first_; }
  float second() const { return second_; }
  static bool counts() { return true; }

 private:
  static float add_pair(unsigned a, unsigned b, float sum) {
    const float2 left = __half22float2(half2_of(a));
    const float2 right = __half22float2(half2_of(b));
    return fmaf(left.y, right.y, fmaf(left.x, right.x, sum));
  }

  float first_ = 0;
  float second_ = 0;
};

}  // namespace gpu
