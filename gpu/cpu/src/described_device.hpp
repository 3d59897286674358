// SPDX-License-Identifier: MIT
// Another device than this machine's processor, for kernels that run as if on it.
#pragma once

#include <optional>

#include "gpu/device.hpp"

namespace gpu::cpu {

/// What current_device() says from now on; nothing: this machine's processor again.
/// @return what was described before
std::optional<DeviceProperties> describe_device(std::optional<DeviceProperties> properties);

}  // namespace gpu::cpu
