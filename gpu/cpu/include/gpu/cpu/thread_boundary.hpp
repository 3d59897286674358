// SPDX-License-Identifier: MIT
// What lies between two threads of the loop over threads: nothing, so that it vectorises. Checked
// kernels find the header of the same name in gpu/cpu/check/include first.
#pragma once

namespace gpu::cpu {

[[gnu::always_inline]] inline void between_threads() {}

}  // namespace gpu::cpu
