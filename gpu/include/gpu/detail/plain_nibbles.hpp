// SPDX-License-Identifier: MIT
// Four-bit numbers, one by one.
#pragma once

#include <cstdint>

#include "gpu/detail/to_float.hpp"
#include "gpu/kernel.hpp"

namespace gpu {

template <int kCount>
__device__ __forceinline__ void load_scaled_nibbles(const std::uint8_t* from, __half scale,
                                                    float zero, float (&to)[kCount]) {
  constexpr int kWords = kCount / 8;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    const int bits = from[i / 2] >> i % 2 * 4 & 15;
    to[i % 8 * kWords + i / 8] = (static_cast<float>(bits) - zero) * to_float(scale);
  }
}

template <int kCount>
class ScaledNibbles {
 public:
  __device__ __forceinline__ ScaledNibbles(const std::uint8_t* from, __half scale, float zero)
      : from_(from), scale_(to_float(scale)), zero_(zero) {}

  __device__ __forceinline__ void part(int k, float (&to)[kCount / 8]) const {
#pragma unroll
    for (int w = 0; w < kCount / 8; ++w) {
      const int bits = from_[4 * w + k / 2] >> k % 2 * 4 & 15;
      to[w] = (static_cast<float>(bits) - zero_) * scale_;
    }
  }

 private:
  const std::uint8_t* from_;
  float scale_;
  float zero_;
};

}  // namespace gpu
