// SPDX-License-Identifier: MIT
// The two device properties that CUDA and HIP spell differently.
#pragma once

#include <string>

#include "gpu/backend/api.hpp"

namespace gpu::detail {

/// "gfx90a" from "gfx90a:sramecc+:xnack-".
inline std::string architecture_of(const api::DeviceRecord& record) {
  const std::string name = record.gcnArchName;
  return name.substr(0, name.find(':'));
}

inline std::size_t largest_shared_bytes(const api::DeviceRecord& record) {
  return record.sharedMemPerBlock;
}

}  // namespace gpu::detail
