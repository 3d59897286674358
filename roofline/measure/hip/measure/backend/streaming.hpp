// SPDX-License-Identifier: MIT
// The store that marks its line to be evicted first, as hipcc's compiler provides it.
#pragma once

#include "gpu/kernel.hpp"

namespace roofline::measure {

/// Stores 16 aligned bytes from `value` to `where`.
__device__ inline void store_streaming_16(void* where, const void* value) {
  typedef float Four __attribute__((ext_vector_type(4)));
  __builtin_nontemporal_store(*static_cast<const Four*>(value), static_cast<Four*>(where));
}

}  // namespace roofline::measure
