// SPDX-License-Identifier: MIT
// The two device properties that CUDA and HIP spell differently.
#pragma once

#include <string>

#include "gpu/backend/api.hpp"

namespace gpu::detail {

inline std::string architecture_of(const api::DeviceRecord& record) {
  return "sm_" + std::to_string(record.major) + std::to_string(record.minor);
}

inline std::size_t largest_shared_bytes(const api::DeviceRecord& record) {
  return record.sharedMemPerBlockOptin;
}

}  // namespace gpu::detail
