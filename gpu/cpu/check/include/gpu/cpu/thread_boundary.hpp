// SPDX-License-Identifier: MIT
// What lies between two threads of a checked kernel: the compiler must not merge their accesses, or
// the checks would see fewer than the source has.
#pragma once

namespace gpu::cpu {

[[gnu::always_inline]] inline void between_threads() {
  asm volatile("" ::: "memory");
}

}  // namespace gpu::cpu
