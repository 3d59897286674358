// SPDX-License-Identifier: MIT
// The CUDA runtime under the names that the sources shared with HIP use.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#define GPU_API(name) cuda##name
#define GPU_API_NAME "cuda"

namespace gpu::api {
using ErrorCode = cudaError_t;
using Stream = cudaStream_t;
using Event = cudaEvent_t;
using GraphTemplate = cudaGraph_t;
using GraphExec = cudaGraphExec_t;
using DeviceRecord = cudaDeviceProp;
using Attribute = cudaDeviceAttr;

inline constexpr auto kClockRate = cudaDevAttrClockRate;
inline constexpr auto kMemoryClockRate = cudaDevAttrMemoryClockRate;
inline constexpr auto kMemoryBusWidth = cudaDevAttrGlobalMemoryBusWidth;
inline constexpr auto kMaxDynamicShared = cudaFuncAttributeMaxDynamicSharedMemorySize;

inline ErrorCode instantiate(GraphExec* executable, cudaGraph_t graph) {
  return cudaGraphInstantiate(executable, graph, 0);
}
/// Pinned memory.
inline ErrorCode allocate_on_host(void** memory, std::size_t bytes) {
  return cudaMallocHost(memory, bytes);
}
inline ErrorCode free_on_host(void* memory) {
  return cudaFreeHost(memory);
}
}  // namespace gpu::api
