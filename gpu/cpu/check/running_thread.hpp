// SPDX-License-Identifier: MIT
// The index of the running thread.
#pragma once

#include "gpu/cpu/thread_index.hpp"

namespace gpu::cpu::check {

/// Its index in its block, from 0.
inline int running_thread() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

}  // namespace gpu::cpu::check
