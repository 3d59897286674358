// SPDX-License-Identifier: MIT
// CUDA's store that marks its line to be evicted first.
#pragma once

#include "gpu/kernel.hpp"

namespace roofline::measure {

/// Stores 16 aligned bytes from `value` to `where`.
__device__ inline void store_streaming_16(void* where, const void* value) {
  __stcs(static_cast<float4*>(where), *static_cast<const float4*>(value));
}

}  // namespace roofline::measure
