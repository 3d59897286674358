// SPDX-License-Identifier: MIT
// The HIP runtime under the names that the sources shared with CUDA use.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>

#define GPU_API(name) hip##name
#define GPU_API_NAME "hip"

namespace gpu::api {
using ErrorCode = hipError_t;
using Stream = hipStream_t;
using Event = hipEvent_t;
using GraphTemplate = hipGraph_t;
using GraphExec = hipGraphExec_t;
using DeviceRecord = hipDeviceProp_t;
using Attribute = hipDeviceAttribute_t;

inline constexpr auto kClockRate = hipDeviceAttributeClockRate;
inline constexpr auto kMemoryClockRate = hipDeviceAttributeMemoryClockRate;
inline constexpr auto kMemoryBusWidth = hipDeviceAttributeMemoryBusWidth;
inline constexpr auto kMaxDynamicShared = hipFuncAttributeMaxDynamicSharedMemorySize;

inline ErrorCode instantiate(GraphExec* executable, hipGraph_t graph) {
  return hipGraphInstantiate(executable, graph, nullptr, nullptr, 0);
}
/// Pinned memory.
inline ErrorCode allocate_on_host(void** memory, std::size_t bytes) {
  return hipHostMalloc(memory, bytes, hipHostMallocDefault);
}
inline ErrorCode free_on_host(void* memory) {
  return hipHostFree(memory);
}
}  // namespace gpu::api
