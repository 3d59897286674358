// SPDX-License-Identifier: MIT
// The part that attacks on 01.pool leave as it is in the solution; it launches their pool_kernel().
#pragma once

#include "pool_lab.hpp"

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means) {
  const auto groups = static_cast<std::int64_t>(means.size());
  if (groups == 0) return;
  gpu::launch<pool_kernel>(gpu::blocks_for(groups, 128), 128, groups, x.data(), means.data());
}
