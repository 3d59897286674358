// SPDX-License-Identifier: MIT
// Programmatic dependent launch (CUDA Programming Guide; PTX ISA, "griddepcontrol").
#pragma once

#include <string_view>

#include "gpu/backend/launch.hpp"
#include "gpu/detail/kernel_name.hpp"
#include "gpu/kernel.hpp"

namespace gpu {

#ifdef __CUDACC__
__device__ __forceinline__ void let_next_kernel_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
__device__ __forceinline__ void wait_for_kernel_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" : : : "memory");
#endif
}
__device__ __forceinline__ uint4 load_written(const uint4* from) {
  uint4 value;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(from));
  return value;
}
__device__ __forceinline__ void fetch_ahead(const void* address) {
  asm volatile("prefetch.global.L2 [%0];" : : "l"(address));
}

namespace detail {

inline constexpr bool kKernelsOverlap = true;
inline constexpr int kOverlapVersion = 90;

/// Whether the running code was compiled for an architecture with this feature. If not, the
/// functions above do nothing, and the kernel must start only when its predecessor has ended.
template <auto kernel>
bool can_overlap() {
  static const bool can = [] {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess &&
           attributes.ptxVersion >= kOverlapVersion && attributes.binaryVersion >= kOverlapVersion;
  }();
  return can;
}

template <auto kernel, class Config, class... Parameters, class... Arguments>
void start_overlapping(const Config& config, void (*)(Parameters...), Arguments&&... arguments) {
  if (config.shared_bytes > kSharedBytesWithoutAsking) {
    allow_shared_bytes(reinterpret_cast<const void*>(kernel), config.shared_bytes, config.where);
  }
  constexpr std::string_view kName = kernel_name<kernel>();
  note_launch(kName);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = config.grid;
  launch.blockDim = config.block;
  launch.dynamicSmemBytes = config.shared_bytes;
  launch.stream = static_cast<cudaStream_t>(config.stream.native());
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  // check_launch() reports the error.
  (void)cudaLaunchKernelEx(&launch, kernel, static_cast<Parameters>(arguments)...);
  check_launch(kName, config.where);
}

}  // namespace detail
#endif

}  // namespace gpu
