// SPDX-License-Identifier: MIT
// The kernel language as nvcc provides it, and the few names that portable kernels add.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstddef>

namespace gpu {

/// Threads that run in lockstep.
inline constexpr int kWarpWidth = 32;
/// One bit per lane of a warp.
using LaneMask = unsigned;
/// All lanes of a warp, whatever its width.
inline constexpr LaneMask kFullMask = 0xffffffffu;

#ifdef __CUDACC__
/// The launch's dynamic shared memory, LaunchConfig::shared_bytes long and 16-byte aligned. Plain
/// `extern __shared__` cannot be expressed on a CPU, so portable kernels call this.
template <class T>
__device__ __forceinline__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char gpu_dynamic_shared[];
  return reinterpret_cast<T*>(gpu_dynamic_shared);
}

/// Number of set bits of a lane mask.
__device__ __forceinline__ int lane_count(LaneMask mask) {
  return __popc(mask);
}
#endif

}  // namespace gpu
