// SPDX-License-Identifier: MIT
// The lab of 01.pool without its kernel, which every attack on it brings.
#pragma once

#include <cstdint>

#include "gpu/gpu.hpp"
#include "harness/lab.hpp"

void pool(gpu::DeviceSpan<const float> x, gpu::DeviceSpan<float> means);

HARNESS_LAB(pool,
            {.flops_per_element = 16,
             .bytes_per_element = 68,
             .buffer_size = [](std::int64_t n, int buffer) { return buffer == 0 ? 16 * n : n; }})
