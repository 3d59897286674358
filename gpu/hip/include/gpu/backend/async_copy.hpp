// SPDX-License-Identifier: MIT
// Copies go through registers and complete immediately.
#pragma once

#include "gpu/kernel.hpp"

namespace gpu {

template <class T>
__device__ __forceinline__ void copy_async(T* to, const T* from, bool is_there) {
  const uint4 zeros = {0, 0, 0, 0};
  *reinterpret_cast<uint4*>(to) = is_there ? *reinterpret_cast<const uint4*>(from) : zeros;
}
__device__ __forceinline__ void commit_copies() {}
template <int kLeft>
__device__ __forceinline__ void wait_copies() {}

}  // namespace gpu
