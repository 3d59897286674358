// SPDX-License-Identifier: MIT
// cp.async (PTX ISA, "Data Movement and Conversion Instructions: cp.async").
#pragma once

#include "gpu/kernel.hpp"

namespace gpu {

template <class T>
__device__ __forceinline__ void copy_async(T* to, const T* from, bool is_there) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  const int bytes = is_there ? 16 : 0;  // the rest of the 16 bytes is zero-filled
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(shared), "l"(from), "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" : : : "memory");
}
template <int kLeft>
__device__ __forceinline__ void wait_copies() {
  asm volatile("cp.async.wait_group %0;" : : "n"(kLeft) : "memory");
}

}  // namespace gpu
