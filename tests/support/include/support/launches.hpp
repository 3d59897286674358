// SPDX-License-Identifier: MIT
// Launches whose counts are derived by hand from the kernel's source, as the virtual GPU would
// report them.
#pragma once

#include <algorithm>

#include "vgpu/profile.hpp"

namespace launches {

inline vgpu::Site access(int line, vgpu::Space space, vgpu::Access access, double requests,
                         double sectors_or_wavefronts, double ideal_wavefronts = 0) {
  vgpu::Site site;
  site.file = "kernel.cu";
  site.line = line;
  site.space = space;
  site.access = access;
  site.requests = requests;
  site.lanes = 32 * requests;
  site.bytes = 128 * requests;
  if (space == vgpu::Space::kGlobal) {
    site.sectors = sectors_or_wavefronts;
  } else {
    site.wavefronts = sectors_or_wavefronts;
    site.ideal_wavefronts = ideal_wavefronts;
  }
  return site;
}

inline vgpu::LineWork full_warps(int line, double steps, double flops = 0) {
  return {"kernel.cu", line, steps, 32 * steps, flops};
}

/// y[i] = a x[i] + y[i] for n = 256 k floats: two loads, a store, a multiply-add; the caches are
/// empty before, and nothing that was stored stays in L2.
inline vgpu::Launch saxpy(const vgpu::Geometry& geometry, double n) {
  vgpu::Launch launch;
  launch.kernel = "saxpy_kernel";
  launch.grid = {static_cast<std::int64_t>(n / 256), 1, 1};
  launch.block = {256, 1, 1};
  launch.registers_per_thread = 16;
  launch.occupancy = vgpu::occupancy(geometry, 256, 0, 16, launch.blocks());
  launch.waves = n / 256 / std::max(1, launch.occupancy.blocks * geometry.multiprocessors);
  launch.blocks_run = launch.blocks();
  const double warps = n / 32;
  using enum vgpu::Space;
  using enum vgpu::Access;
  launch.sites = {access(7, kGlobal, kLoad, 2 * warps, 8 * warps),
                  access(7, kGlobal, kStore, warps, 4 * warps)};
  launch.lines = {full_warps(6, warps), full_warps(7, warps, 2 * n)};
  launch.arithmetic["fp32"].fma = n;
  launch.l1_load_sectors = 8 * warps;
  launch.l2_read_sectors = 8 * warps;
  launch.l2_write_sectors = 4 * warps;
  launch.dram_bytes_read = 8 * n;
  launch.dram_bytes_written = 4 * n;
  return launch;
}

/// out[x][y] = in[y][x] for n x n floats, n = 32 k, a warp reading a row and writing a column:
/// every store touches 32 sectors.
inline vgpu::Launch naive_transpose(const vgpu::Geometry& geometry, double n) {
  vgpu::Launch launch = saxpy(geometry, n * n);
  launch.kernel = "transpose_naive";
  launch.arithmetic.clear();
  const double warps = n * n / 32;
  using enum vgpu::Space;
  using enum vgpu::Access;
  launch.sites = {access(7, kGlobal, kLoad, warps, 4 * warps),
                  access(7, kGlobal, kStore, warps, 32 * warps)};
  launch.lines = {full_warps(6, warps), full_warps(7, warps)};
  launch.l1_load_sectors = launch.l2_read_sectors = 4 * warps;
  launch.l2_write_sectors = 32 * warps;
  launch.dram_bytes_read = launch.dram_bytes_written = 4 * n * n;
  return launch;
}

/// The same through a tile of 32 rows of 32 + `padding` floats in shared memory.
inline vgpu::Launch tiled_transpose(const vgpu::Geometry& geometry, double n, int padding) {
  vgpu::Launch launch = naive_transpose(geometry, n);
  launch.kernel = padding > 0 ? "transpose_padded" : "transpose_tiled";
  launch.grid = {static_cast<std::int64_t>(n / 32), static_cast<std::int64_t>(n / 32), 1};
  launch.block = {32, 32, 1};
  launch.shared_bytes = 32 * (32 + padding) * 4;
  launch.occupancy = vgpu::occupancy(geometry, 1024, launch.shared_bytes, 16, launch.blocks());
  const double warps = n * n / 32;
  using enum vgpu::Space;
  using enum vgpu::Access;
  launch.sites = {access(7, kGlobal, kLoad, warps, 4 * warps),
                  access(7, kShared, kStore, warps, warps, warps),
                  access(9, kShared, kLoad, warps, (padding > 0 ? 1 : 32) * warps, warps),
                  access(9, kGlobal, kStore, warps, 4 * warps)};
  launch.lines = {full_warps(7, warps), full_warps(9, warps)};
  launch.l2_write_sectors = 4 * warps;
  launch.barriers = static_cast<double>(launch.blocks());
  return launch;
}

}  // namespace launches
