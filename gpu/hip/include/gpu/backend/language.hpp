// SPDX-License-Identifier: MIT
// The kernel language as hipcc provides it, with CUDA's spelling where HIP's differs.
#pragma once

#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cstddef>
#include <cstdint>

namespace gpu {

/// Threads that run in lockstep (gfx9: 64).
inline constexpr int kWarpWidth = 64;
/// One bit per lane of a warp.
using LaneMask = unsigned long long;
/// All lanes of a warp, whatever its width.
inline constexpr LaneMask kFullMask = ~0ull;

#ifdef __HIPCC__
/// The launch's dynamic shared memory, LaunchConfig::shared_bytes long and 16-byte aligned. Plain
/// `extern __shared__` cannot be expressed on a CPU, so portable kernels call this.
template <class T>
__device__ __forceinline__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char gpu_dynamic_shared[];
  return reinterpret_cast<T*>(gpu_dynamic_shared);
}

/// Number of set bits of a lane mask.
__device__ __forceinline__ int lane_count(LaneMask mask) {
  return __popcll(mask);
}
#endif

}  // namespace gpu

/// HIP's type under CUDA's name. Outside kernel files only its size is useful: it has no
/// conversions there.
using __nv_bfloat16 = hip_bfloat16;

#ifdef __HIPCC__
__host__ __device__ inline __nv_bfloat16 __float2bfloat16(float value) {
  return hip_bfloat16(value);
}
__host__ __device__ inline float __bfloat162float(__nv_bfloat16 value) {
  return static_cast<float>(value);
}

// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names
__device__ __forceinline__ void __stcs(float* where, float value) {
  __builtin_nontemporal_store(value, where);
}
__device__ __forceinline__ void __stcs(float4* where, float4 value) {
  typedef float Four __attribute__((ext_vector_type(4)));
  __builtin_nontemporal_store(Four{value.x, value.y, value.z, value.w},
                              reinterpret_cast<Four*>(where));
}
// NOLINTEND(bugprone-reserved-identifier)

// AMD GPUs run a wavefront in lockstep and HIP 5 has no mask arguments, so the mask is ignored.
// NOLINTBEGIN(bugprone-reserved-identifier): CUDA's names
template <class T>
__device__ __forceinline__ T __shfl_sync(gpu::LaneMask, T value, int lane, int width = warpSize) {
  return __shfl(value, lane, width);
}
template <class T>
__device__ __forceinline__ T __shfl_up_sync(gpu::LaneMask, T value, unsigned delta,
                                            int width = warpSize) {
  return __shfl_up(value, delta, width);
}
template <class T>
__device__ __forceinline__ T __shfl_down_sync(gpu::LaneMask, T value, unsigned delta,
                                              int width = warpSize) {
  return __shfl_down(value, delta, width);
}
template <class T>
__device__ __forceinline__ T __shfl_xor_sync(gpu::LaneMask, T value, int lane_mask,
                                             int width = warpSize) {
  return __shfl_xor(value, lane_mask, width);
}
__device__ __forceinline__ gpu::LaneMask __ballot_sync(gpu::LaneMask mask, int predicate) {
  return __ballot(predicate) & mask;
}
__device__ __forceinline__ int __any_sync(gpu::LaneMask mask, int predicate) {
  return (__ballot(predicate) & mask) != 0;
}
__device__ __forceinline__ int __all_sync(gpu::LaneMask mask, int predicate) {
  const gpu::LaneMask active = __ballot(1) & mask;
  return (__ballot(predicate) & active) == active;
}
__device__ __forceinline__ gpu::LaneMask __activemask() {
  return __ballot(1);
}
__device__ __forceinline__ void __syncwarp(gpu::LaneMask = gpu::kFullMask) {
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
}
// NOLINTEND(bugprone-reserved-identifier)
#endif
