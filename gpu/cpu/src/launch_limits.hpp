// SPDX-License-Identifier: MIT
// What a GPU would refuse to launch.
#pragma once

#include <cstddef>
#include <string>

#include "gpu/cpu/runtime.hpp"

namespace gpu::cpu {

/// Throws gpu::Error if no GPU of the kind chosen by ROOFLINE_GPU_LIMITS could make this launch.
void check_limits(const KernelLaunch& launch);

/// Why no GPU of this kind could run a kernel whose __shared__ arrays take `static_bytes`; empty if
/// one could.
std::string refusal_of_static_shared(const KernelLaunch& launch, std::size_t static_bytes);

}  // namespace gpu::cpu
