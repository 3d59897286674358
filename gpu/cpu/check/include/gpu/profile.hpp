// SPDX-License-Identifier: MIT
// Profiles checked kernels as a GPU of a given geometry would run them.
#pragma once

#include <functional>

#include "vgpu/profile.hpp"

namespace gpu {

/// Thread accesses of a launch that are all looked at, which takes some seconds.
inline constexpr double kMostAccesses = 400e6;

/// Profiles what `launches` launches, on a virtual GPU whose caches are empty before each launch.
/// Of a launch with more than `most_accesses` only some whole waves of blocks run, and the rest is
/// extrapolated: outputs are then incomplete. The result is the same each time, on every machine.
/// Meanwhile current_device() describes that GPU: a kernel that asks how many multiprocessors there
/// are starts as many blocks as it would start there.
/// @param geometry of the GPU; its lanes are the warps' width
/// @param launches is called once
/// @param registers_per_thread as the GPU's compiler reports them; 0: unknown, a number is assumed
/// @param most_accesses of threads in a launch; one that makes more is sampled
/// @throws gpu::Error where a kernel leaves its buffers
vgpu::Profile profile(const vgpu::Geometry& geometry, int registers_per_thread,
                      const std::function<void()>& launches, double most_accesses = kMostAccesses);

/// Lets current_device() describe this GPU from now on: for sizes that are chosen before profile().
void imitate(const vgpu::Geometry& geometry);

}  // namespace gpu
