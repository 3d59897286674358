// SPDX-License-Identifier: MIT
// Resident blocks by hand, with the limits of an H200: 2048 threads, 32 blocks, 65,536 registers,
// 228 KiB of shared memory, of which every block takes 1 KiB more than it requests.
#include "support/catch.hpp"
#include "vgpu/geometry.hpp"

namespace {

vgpu::Geometry h200() {
  vgpu::Geometry geometry;
  geometry.multiprocessors = 132;
  geometry.shared_bytes = 228 * 1024;
  geometry.shared_bytes_reserved = 1024;
  return geometry;
}

constexpr std::int64_t kManyBlocks = 1 << 20;

}  // namespace

TEST_CASE("threads limit how many blocks are resident") {
  const auto found = vgpu::occupancy(h200(), 256, 0, 32, kManyBlocks);
  CHECK(found.blocks == 8);
  CHECK(found.limiter == vgpu::Limiter::kThreads);
  CHECK(found.share == 1.0);
}

TEST_CASE("a block's last warp counts as a whole one") {
  // 65 threads are three warps, and 2048 / 96 is 21.
  const auto found = vgpu::occupancy(h200(), 65, 0, 16, kManyBlocks);
  CHECK(found.blocks == 21);
}

TEST_CASE("small blocks run out of block slots") {
  const auto found = vgpu::occupancy(h200(), 32, 0, 16, kManyBlocks);
  CHECK(found.blocks == 32);
  CHECK(found.limiter == vgpu::Limiter::kBlocks);
  CHECK(found.share == 0.5);
}

TEST_CASE("registers are given to warps in pieces of 256") {
  // 65 x 32 = 2080 become 2304; 65536 / 2304 = 28 warps, and a block of 256 threads has 8.
  const auto found = vgpu::occupancy(h200(), 256, 0, 65, kManyBlocks);
  CHECK(found.blocks == 3);
  CHECK(found.limiter == vgpu::Limiter::kRegisters);
}

TEST_CASE("shared memory limits, with what is reserved for every block") {
  // 228 / (48 + 1) = 4.
  const auto found = vgpu::occupancy(h200(), 128, 48 * 1024, 32, kManyBlocks);
  CHECK(found.blocks == 4);
  CHECK(found.limiter == vgpu::Limiter::kShared);
  CHECK(vgpu::occupancy(h200(), 128, 229 * 1024, 32, kManyBlocks).blocks == 0);
}

TEST_CASE("a small grid leaves slots free") {
  const auto found = vgpu::occupancy(h200(), 256, 0, 32, 133);
  CHECK(found.blocks == 2);
  CHECK(found.limiter == vgpu::Limiter::kGrid);
}
