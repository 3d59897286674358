// SPDX-License-Identifier: MIT
// Kernels that start before the preceding one in their stream has ended, on machines that allow it
// (NVIDIA since Hopper): most of the time of a short kernel is its start and its end.
//
//   void let_next_kernel_begin()    once all blocks of this kernel have called it or ended, the
//                                   next kernel's blocks may use whatever room there is
//   void wait_for_kernel_before()   waits until the preceding kernel has ended and its writes are
//                                   visible
//   uint4 load_written(const uint4* from)
//                                   like load_now() (gpu/lanes.hpp), but for use after that wait:
//                                   load_now() must not read what the preceding kernel may write
//   void fetch_ahead(const void* address)
//                                   prefetches the line of 128 bytes around `address` to L2, to
//                                   make use of the wait; nobody may be writing there
//
// A kernel launched with launch_overlapping<kernel>(config, arguments...) calls
// wait_for_kernel_before() in every thread before it writes, and before it reads what another
// kernel
// has written. What it reads after the wait must not be declared __restrict__: the compiler may
// move
// such loads to the start of the kernel. It may call let_next_kernel_begin() right away: the next
// kernel waits until this one has ended.
#pragma once

#include <concepts>
#include <utility>

#include "gpu/backend/overlap.hpp"
#include "gpu/launch.hpp"

namespace gpu {

/// Like launch(), for a kernel that keeps the rule above.
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
