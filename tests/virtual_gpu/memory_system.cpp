// SPDX-License-Identifier: MIT
// Caches by hand: what hits, and what DRAM moves.
#include "vgpu/memory_system.hpp"

#include "support/catch.hpp"

namespace {

using vgpu::Access;
using vgpu::kWholeSector;

/// Small enough to count by hand: L1 of 32 sectors, L2 of 256 lines, DRAM that fetches two sectors.
vgpu::Geometry small() {
  vgpu::Geometry geometry;
  geometry.multiprocessors = 2;
  geometry.l1_bytes = 32 * 32;
  geometry.l2_bytes = 256 * 128;
  return geometry;
}

void add(vgpu::WarpStream& warp, std::uint64_t line, Access access, std::uint8_t sectors,
         std::uint32_t bytes = kWholeSector) {
  warp.begin_request();
  warp.add({line, access, sectors, {bytes, bytes, bytes, bytes}});
}

vgpu::Traffic traffic_of(const vgpu::WarpStream& warp) {
  vgpu::MemorySystem memory(small(), 0);
  memory.run(0, {&warp, 1});
  memory.end_wave();
  return memory.traffic();
}

}  // namespace

TEST_CASE("what is read again hits in L1, sector by sector") {
  vgpu::WarpStream warp;
  add(warp, 5, Access::kLoad, 0b0001);
  add(warp, 5, Access::kLoad, 0b0011);
  const vgpu::Traffic traffic = traffic_of(warp);
  CHECK(traffic.l1_load_sectors == 3);
  CHECK(traffic.l1_load_hits == 1);
  CHECK(traffic.l2_read_sectors == 2);
}

TEST_CASE("DRAM delivers two sectors when one is requested") {
  vgpu::WarpStream warp;
  add(warp, 5, Access::kLoad, 0b0001);
  add(warp, 5, Access::kLoad, 0b0010);
  add(warp, 5, Access::kLoad, 0b0100);
  const vgpu::Traffic traffic = traffic_of(warp);
  CHECK(traffic.dram_sectors_read == 4);
  CHECK(traffic.l2_read_hits == 1);
}

TEST_CASE("whole sectors are written without being read, parts are filled up when they leave") {
  vgpu::MemorySystem memory(small(), 0);
  vgpu::WarpStream whole;
  vgpu::WarpStream parts;
  constexpr std::uint64_t kLines = 2048;  // eight times what L2 holds
  for (std::uint64_t line = 0; line < kLines; ++line) add(whole, line, Access::kStore, 0b1111);
  for (std::uint64_t line = 0; line < kLines; ++line) {
    add(parts, 10000 + line, Access::kStore, 0b1111, 0x0000ffff);
  }
  memory.run(0, {&whole, 1});
  memory.end_wave();
  CHECK(memory.traffic().dram_sectors_read == 0);
  CHECK(memory.traffic().dram_sectors_written + double(memory.dirty_sectors()) == 4 * kLines);
  memory.run(0, {&parts, 1});
  memory.end_wave();
  const double written_in_parts =
      memory.traffic().dram_sectors_written + double(memory.dirty_sectors()) - 4 * kLines;
  CHECK(written_in_parts == 4 * kLines);
  CHECK(memory.traffic().dram_sectors_read == 4 * kLines - double(memory.dirty_sectors()));
}

TEST_CASE("sectors that become complete need not be read") {
  vgpu::WarpStream warp;
  for (std::uint64_t line = 0; line < 2048; ++line) {
    add(warp, line, Access::kStore, 0b1111, 0x0000ffff);
    add(warp, line, Access::kStore, 0b1111, 0xffff0000);
  }
  const vgpu::Traffic traffic = traffic_of(warp);
  CHECK(traffic.dram_sectors_read == 0);
  CHECK(traffic.l2_write_sectors == 2 * 4 * 2048);
}

TEST_CASE("more than L2 holds, read in order again and again, misses every time") {
  vgpu::WarpStream warp;
  for (int time = 0; time < 3; ++time) {
    for (std::uint64_t line = 0; line < 512; ++line) add(warp, line, Access::kLoad, 0b1111);
  }
  CHECK(traffic_of(warp).l2_read_hits == 0);
}

TEST_CASE("what L2 holds is read from DRAM once, by whichever multiprocessor") {
  vgpu::MemorySystem memory(small(), 0);
  vgpu::WarpStream warp;
  for (std::uint64_t line = 0; line < 200; ++line) add(warp, line, Access::kLoad, 0b1111);
  memory.run(0, {&warp, 1});
  memory.end_wave();
  memory.run(1, {&warp, 1});
  memory.end_wave();
  CHECK(memory.traffic().dram_sectors_read == 800);
  CHECK(memory.traffic().l2_read_hits == 800);
}

TEST_CASE("partitions of L2 keep what their own multiprocessors read, and ask each other") {
  vgpu::Geometry geometry = small();
  geometry.l2_partitions = 2;
  vgpu::MemorySystem memory(geometry, 0);
  vgpu::WarpStream warp;
  for (std::uint64_t line = 0; line < 100; ++line) add(warp, line, Access::kLoad, 0b1111);
  memory.run(0, {&warp, 1});
  memory.end_wave();
  memory.run(1, {&warp, 1});
  memory.end_wave();
  CHECK(memory.traffic().l2_read_hits == 0);
  CHECK(memory.traffic().dram_sectors_read == 400);
}

TEST_CASE("shared memory takes its bytes from L1") {
  vgpu::WarpStream warp;
  for (int time = 0; time < 2; ++time) {
    for (std::uint64_t line = 0; line < 8; ++line) add(warp, line, Access::kLoad, 0b1111);
  }
  vgpu::Geometry geometry = small();
  geometry.l1_bytes = 8192;
  vgpu::MemorySystem all(geometry, 0);
  all.run(0, {&warp, 1});
  CHECK(all.traffic().l1_load_hits == 32);
  // 512 bytes are 16 sectors, and 32 are read cyclically.
  vgpu::MemorySystem little(geometry, 8192 - 512);
  little.run(0, {&warp, 1});
  CHECK(little.traffic().l1_load_hits == 0);
}
