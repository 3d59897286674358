// SPDX-License-Identifier: MIT
// Pack<T>: as many numbers as one instruction of one thread loads and computes on.
//
// On a GPU that is 16 bytes (a float4), on a CPU one vector register. A kernel that keeps its
// results in packs runs well on both: compilers rarely vectorise the loops inside a thread.
//
//   gpu::Pack<T> sum(T(0));
//   sum = gpu::multiply_add(gpu::Pack<T>(a[i]), gpu::load_pack(b + j), sum);
//   gpu::store_pack(c + j, sum);
#pragma once

#include <cstdint>

#include "gpu/backend/pack.hpp"

namespace gpu {

/// Numbers in a Pack<T>: 4 floats on a GPU, 4 to 16 on a CPU.
template <class T>
inline constexpr int kPackWidth = Pack<T>::kWidth;

/// Whether packs starting at `address` are aligned to their size.
template <class T>
bool is_pack_aligned(const T* address) {
  return reinterpret_cast<std::uintptr_t>(address) % (sizeof(T) * kPackWidth<T>) == 0;
}

}  // namespace gpu
