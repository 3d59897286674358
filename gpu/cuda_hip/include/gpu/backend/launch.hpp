// SPDX-License-Identifier: MIT
// The only place with <<<>>>.
#pragma once

#include <string_view>

#include "gpu/backend/api.hpp"
#include "gpu/backend/language.hpp"
#include "gpu/detail/gpu_launch.hpp"
#include "gpu/error.hpp"

namespace gpu::detail {

inline constexpr std::size_t kSharedBytesWithoutAsking = 48 * 1024;

template <auto kernel, class Config, class... Parameters, class... Arguments>
void launch_kernel(const Config& config, std::string_view name, void (*)(Parameters...),
                   Arguments&&... arguments) {
  if (config.warp_width != 0 && config.warp_width != kWarpWidth) {
    throw_usage_error("launch", "this device has warps of one width only; leave warp_width at 0",
                      config.where);
  }
  if (config.shared_bytes > kSharedBytesWithoutAsking) {
    allow_shared_bytes(reinterpret_cast<const void*>(kernel), config.shared_bytes, config.where);
  }
  note_launch(name);
  kernel<<<config.grid, config.block, config.shared_bytes,
           static_cast<api::Stream>(config.stream.native())>>>(
      static_cast<Parameters>(arguments)...);
  check_launch(name, config.where);
}

}  // namespace gpu::detail
