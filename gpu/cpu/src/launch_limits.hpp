// SPDX-License-Identifier: MIT
// What a GPU would refuse to launch.
#pragma once

#include "gpu/cpu/runtime.hpp"

namespace gpu::cpu {

/// Throws gpu::Error if no GPU of the kind chosen by ROOFLINE_GPU_LIMITS could make this launch.
void check_limits(const KernelLaunch& launch);

}  // namespace gpu::cpu
