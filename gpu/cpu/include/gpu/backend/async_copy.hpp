// SPDX-License-Identifier: MIT
// Copies complete immediately. In checked kernels each is one access of 16 bytes, as on a GPU.
#pragma once

#include "gpu/features.hpp"
#include "gpu/kernel.hpp"

namespace gpu {

template <class T>
void copy_async(T* to, const T* from, bool is_there) {
  if constexpr (Features::kIsGpu) {
    const uint4 zeros = {0, 0, 0, 0};
    *reinterpret_cast<uint4*>(to) = is_there ? *reinterpret_cast<const uint4*>(from) : zeros;
  } else {
    for (int i = 0; i < static_cast<int>(16 / sizeof(T)); ++i) to[i] = is_there ? from[i] : T(0);
  }
}
inline void commit_copies() {}
template <int kLeft>
void wait_copies() {}

}  // namespace gpu
