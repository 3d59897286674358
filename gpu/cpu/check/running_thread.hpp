// SPDX-License-Identifier: MIT
// The number of the thread that runs.
#pragma once

#include "gpu/cpu/thread_index.hpp"

namespace gpu::cpu::check {

/// Its place in its block, from 0.
inline int running_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

}  // namespace gpu::cpu::check
