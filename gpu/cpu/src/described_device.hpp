// SPDX-License-Identifier: MIT
// A device other than this machine's processor, for kernels that run as if on it.
#pragma once

#include <optional>

#include "gpu/device.hpp"

namespace gpu::cpu {

/// Sets what current_device() returns from now on; an empty value restores this machine's
/// processor.
/// @return the previous description
std::optional<DeviceProperties> describe_device(std::optional<DeviceProperties> properties);

}  // namespace gpu::cpu
