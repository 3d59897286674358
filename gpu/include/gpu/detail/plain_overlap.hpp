// SPDX-License-Identifier: MIT
// A kernel starts when the one before it has ended.
#pragma once

#include "gpu/kernel.hpp"

namespace gpu {

__device__ __forceinline__ void let_next_kernel_begin() {}
__device__ __forceinline__ void wait_for_kernel_before() {}
__device__ __forceinline__ uint4 load_written(const uint4* from) {
  return *from;
}
__device__ __forceinline__ void fetch_ahead(const void*) {}

namespace detail {

/// Whether this machine can start a kernel before the one before it has ended.
inline constexpr bool kKernelsOverlap = false;
template <auto kernel>
bool can_overlap() {
  return false;
}
template <auto kernel, class... Everything>
void start_overlapping(const Everything&...) {}

}  // namespace detail
}  // namespace gpu
