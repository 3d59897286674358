// SPDX-License-Identifier: MIT
// Resident blocks, by the limit that binds first.

#include "vgpu/geometry.hpp"

namespace vgpu {
namespace {

std::int64_t round_up(std::int64_t value, std::int64_t granularity) {
  return (value + granularity - 1) / granularity * granularity;
}

}  // namespace

const char* to_string(Limiter limiter) {
  switch (limiter) {
    case Limiter::kThreads:
      return "threads";
    case Limiter::kBlocks:
      return "blocks";
    case Limiter::kRegisters:
      return "registers";
    case Limiter::kShared:
      return "shared memory";
    case Limiter::kGrid:
      return "grid";
  }
  return "";
}

Occupancy occupancy(const Geometry& geometry, int threads, std::int64_t shared_bytes,
                    int registers_per_thread, std::int64_t blocks) {
  const std::int64_t warps = (threads + geometry.lanes - 1) / geometry.lanes;
  Occupancy result{geometry.max_blocks, Limiter::kBlocks, 0};
  const auto limit = [&](std::int64_t fit, Limiter limiter) {
    if (fit < result.blocks) result = {static_cast<int>(fit), limiter, 0};
  };
  limit(geometry.max_threads / (warps * geometry.lanes), Limiter::kThreads);
  if (registers_per_thread > 0) {
    const std::int64_t of_warp = round_up(std::int64_t{registers_per_thread} * geometry.lanes,
                                          geometry.registers_granularity);
    limit(geometry.registers / of_warp / warps, Limiter::kRegisters);
  }
  const std::int64_t shared =
      round_up(shared_bytes + geometry.shared_bytes_reserved, geometry.shared_granularity);
  if (shared > 0) limit(geometry.shared_bytes / shared, Limiter::kShared);
  limit((blocks + geometry.multiprocessors - 1) / geometry.multiprocessors, Limiter::kGrid);
  result.share = static_cast<double>(result.blocks * warps * geometry.lanes) / geometry.max_threads;
  return result;
}

}  // namespace vgpu
