// SPDX-License-Identifier: MIT
// Starts a kernel: launch<kernel>(grid, block, arguments...).
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "gpu/backend/launch.hpp"
#include "gpu/detail/kernel_name.hpp"
#include "gpu/kernel.hpp"
#include "gpu/stream.hpp"

namespace gpu {

/// How a kernel is started; name what differs: launch<k>({.grid = 4, .block = 256}, ...).
struct LaunchConfig {
  dim3 grid{1};                  ///< blocks; if a dimension is zero, nothing is launched
  dim3 block{1};                 ///< threads per block
  std::size_t shared_bytes = 0;  ///< dynamic shared memory per block, see dynamic_shared()
  StreamRef stream{};
  int warp_width = 0;  ///< 32 or 64 on the CPU; 0 is the device's own (on a GPU the only choice)
  SourceLocation where = SourceLocation::current();
};

/// Dimensions that remember the line they were written on, so that launch() can name it.
struct GridAt {
  template <std::integral I>
  GridAt(I x, SourceLocation at = SourceLocation::current())
      : value(static_cast<unsigned>(x)), where(at) {}
  GridAt(dim3 dimensions, SourceLocation at = SourceLocation::current())
      : value(dimensions), where(at) {}

  dim3 value;
  SourceLocation where;
};

/// Starts `kernel` (a __global__ function) on grid x block threads; `arguments` convert to its
/// parameters. On a GPU it does not wait; on the CPU the kernel has finished when it returns. If a
/// dimension of the grid is zero, nothing is launched. Throws Error for an impossible
/// configuration. Thanks to the constraint, the compiler's error for wrong arguments names the line
/// of the launch.
template <auto kernel, class... Arguments>
requires std::invocable<decltype(kernel), Arguments...>
void launch(const LaunchConfig& config, Arguments&&... arguments) {
  if (config.grid.x == 0 || config.grid.y == 0 || config.grid.z == 0) return;
  constexpr std::string_view kName = detail::kernel_name<kernel>();
  detail::launch_kernel<kernel>(config, kName, kernel, std::forward<Arguments>(arguments)...);
}

template <auto kernel, class... Arguments>
requires std::invocable<decltype(kernel), Arguments...>
void launch(GridAt grid, dim3 block, Arguments&&... arguments) {
  launch<kernel>(LaunchConfig{.grid = grid.value, .block = block, .where = grid.where},
                 std::forward<Arguments>(arguments)...);
}

/// Number of blocks of `block` threads that cover `threads` threads.
template <std::integral I>
constexpr unsigned blocks_for(I threads, std::type_identity_t<I> block) {
  return static_cast<unsigned>((threads + block - 1) / block);
}

}  // namespace gpu
