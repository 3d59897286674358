// SPDX-License-Identifier: MIT
// Profiles checked kernels as a GPU of a given geometry would run them.
#pragma once

#include <functional>

#include "vgpu/profile.hpp"

namespace gpu {

/// Launches with up to this many accesses are traced completely, which takes some seconds.
inline constexpr double kMostAccesses = 400e6;

/// Profiles the kernels that `launches` launches, on a virtual GPU whose caches are empty before
/// each launch. Of a launch with more than `most_accesses`, only a few whole waves of blocks run
/// and the rest is extrapolated, so its outputs are incomplete. The result is the same each time,
/// on every machine. Meanwhile current_device() describes that GPU: a kernel that sizes its grid by
/// the number of multiprocessors starts as many blocks as it would there.
/// @param geometry of the GPU; its lanes are the warps' width
/// @param launches is called once
/// @param registers_per_thread as the GPU's compiler reports them; 0 if unknown, and a default is
///   assumed
/// @param most_accesses thread accesses of a launch; a launch with more is sampled
/// @throws gpu::Error when a kernel accesses memory outside its buffers
vgpu::Profile profile(const vgpu::Geometry& geometry, int registers_per_thread,
                      const std::function<void()>& launches, double most_accesses = kMostAccesses);

/// Makes current_device() describe this GPU from now on: for sizes that are chosen before
/// profile().
void imitate(const vgpu::Geometry& geometry);

}  // namespace gpu
