// SPDX-License-Identifier: MIT
// The operations of gpu/lanes.hpp, as plain expressions.
#pragma once

#include "gpu/kernel.hpp"

namespace gpu {

template <class T>
__device__ __forceinline__ T load_now(const T* from) {
  return *from;
}
template <class T>
__device__ __forceinline__ T load_once_now(const T* from) {
  return *from;
}
__device__ __forceinline__ unsigned and_or(unsigned word, unsigned mask, unsigned bits) {
  return (word & mask) | bits;
}
__device__ __forceinline__ float exp2_flushed(float x) {
  return exp2f(x);
}

}  // namespace gpu
