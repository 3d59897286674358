// SPDX-License-Identifier: MIT
// Narrow numbers as floats, and the bits of two halves as a word.
#pragma once

#include <cstdint>

#include "gpu/features.hpp"
#include "gpu/kernel.hpp"

namespace gpu {

__device__ __forceinline__ float to_float(float value) {
  return value;
}
__device__ __forceinline__ float to_float(__half value) {
  return __half2float(value);
}
__device__ __forceinline__ float to_float(__nv_bfloat16 value) {
  return __bfloat162float(value);
}
__device__ __forceinline__ float to_float(std::int8_t value) {
  return static_cast<float>(value);
}

/// Two halves from the bits of a word.
template <bool kOnGpu = Features::kIsGpu>
__device__ __forceinline__ __half2 half2_of(unsigned word) {
  if constexpr (kOnGpu) {
    return *reinterpret_cast<const __half2*>(&word);
  } else {
    return __halves2half2(__ushort_as_half(static_cast<unsigned short>(word & 0xffffu)),
                          __ushort_as_half(static_cast<unsigned short>(word >> 16)));
  }
}

/// The bits of two halves as a word.
template <bool kOnGpu = Features::kIsGpu>
__device__ __forceinline__ unsigned word_of(__half2 pair) {
  if constexpr (kOnGpu) {
    return *reinterpret_cast<const unsigned*>(&pair);
  } else {
    return static_cast<unsigned>(__half_as_ushort(__low2half(pair))) |
           static_cast<unsigned>(__half_as_ushort(__high2half(pair))) << 16;
  }
}

}  // namespace gpu
