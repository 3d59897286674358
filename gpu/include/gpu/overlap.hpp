// SPDX-License-Identifier: MIT
// Kernels that begin before the one before them in their stream has ended, where the machine lets
// them (NVIDIA from Hopper on): what a short kernel costs is mostly its beginning and its end.
//
//   void let_next_kernel_begin()    once all blocks of this kernel have called it or ended, the
//                                   next kernel's blocks may take what room there is
//   void wait_for_kernel_before()   until the kernel before has ended, and what it wrote is there
//   uint4 load_written(const uint4* from)
//                                   after that wait, as load_now() (gpu/lanes.hpp), which is not
//                                   for what the kernel before may have written
//   void fetch_ahead(const void* address)
//                                   has the line of 128 bytes around `address` brought to L2, which
//                                   is how to pass that wait; nobody may be writing there
//
// A kernel that is launched with launch_overlapping<kernel>(config, arguments...) calls the second
// in every thread before it writes, and before it reads what another kernel has written. What it
// reads so must not be declared __restrict__: the compiler may move such loads to the kernel's
// beginning. It may call the first at once: who comes after it waits until it has ended.
#pragma once

#include <concepts>
#include <utility>

#include "gpu/backend/overlap.hpp"
#include "gpu/launch.hpp"

namespace gpu {

/// As launch(), of a kernel that keeps the rule above.
template <auto kernel, class... Arguments>
requires std::invocable<decltype(kernel), Arguments...>
void launch_overlapping(const LaunchConfig& config, Arguments&&... arguments) {
  if (config.grid.x == 0 || config.grid.y == 0 || config.grid.z == 0) return;
  if constexpr (detail::kKernelsOverlap) {
    if (detail::can_overlap<kernel>()) {
      return detail::start_overlapping<kernel>(config, kernel,
                                               std::forward<Arguments>(arguments)...);
    }
  }
  launch<kernel>(config, std::forward<Arguments>(arguments)...);
}

}  // namespace gpu
