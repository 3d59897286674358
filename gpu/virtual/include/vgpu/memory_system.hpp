// SPDX-License-Identifier: MIT
// Turns the requests of warps into traffic of L1, L2 and DRAM.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "vgpu/cache.hpp"
#include "vgpu/geometry.hpp"
#include "vgpu/profile.hpp"

namespace vgpu {

/// What a request accesses of one line.
struct LineAccess {
  std::uint64_t line = 0;
  Access access = Access::kLoad;
  std::uint8_t sectors = 0;                            ///< one bit each
  std::array<std::uint32_t, kSectorsPerLine> bytes{};  ///< of each sector, one bit each
};

/// The requests of one warp to global memory, in order.
class WarpStream {
 public:
  void begin_request() { ends_.push_back(static_cast<std::uint32_t>(lines_.size())); }
  /// Adds to the most recent request.
  void add(const LineAccess& line) {
    lines_.push_back(line);
    ends_.back() = static_cast<std::uint32_t>(lines_.size());
  }
  std::size_t requests() const { return ends_.size(); }
  std::span<const LineAccess> request(std::size_t number) const {
    const std::uint32_t begin = number == 0 ? 0 : ends_[number - 1];
    return std::span(lines_).subspan(begin, ends_[number] - begin);
  }

 private:
  std::vector<LineAccess> lines_;
  std::vector<std::uint32_t> ends_;
};

/// The traffic of all levels.
struct Traffic {
  double l1_load_sectors = 0, l1_load_hits = 0;
  double l2_read_sectors = 0, l2_read_hits = 0;
  double l2_write_sectors = 0, l2_write_parts = 0;
  double l2_atomic_sectors = 0;
  double dram_sectors_read = 0, dram_sectors_written = 0;
  double dram_sectors_first = 0;  ///< of those read, the ones that had not been read before

  Traffic& operator+=(const Traffic& other);
  Traffic& operator-=(const Traffic& other);
  Traffic& operator*=(double factor);
};

/// The caches of one GPU, or of the part of it that has a `share` of the L2.
class MemorySystem {
 public:
  /// @param geometry of the GPU
  /// @param share fraction of the L2 that is available
  /// @param shared_bytes of all blocks that are resident on a multiprocessor at a time
  MemorySystem(const Geometry& geometry, std::int64_t shared_bytes, double share = 1);

  /// Runs the requests of the resident blocks of multiprocessor `number`: its warps take turns, one
  /// request each. L1 misses are held back until end_wave().
  void run(int number, std::span<const WarpStream> warps);
  /// Sends the misses of all multiprocessors to L2, interleaved.
  void end_wave();

  /// The traffic so far, without the dirty sectors that L2 still holds.
  const Traffic& traffic() const { return traffic_; }
  std::uint64_t dirty_sectors() const;
  /// The largest number of atomic sectors on one line.
  double atomics_of_a_line() const;

 private:
  void load(Cache& l1, LineAccess access, std::vector<LineAccess>& misses);
  void reach_l2(const LineAccess& access, int partition);
  CacheLine& line_in_l2(std::uint64_t line, Cache& l2);
  int home_of(std::uint64_t line) const;
  void load_from_l2(CacheLine& line, std::uint8_t sectors, int partition);
  void store_to_l2(CacheLine& line, const LineAccess& access, Cache& l2);
  void fetch(CacheLine& line, std::uint8_t sectors);
  void note_read(std::uint64_t line, std::uint8_t sectors);
  void write_back(CacheLine& line);

  Geometry geometry_;
  std::int64_t l1_bytes_;
  std::vector<Cache> l1_;
  std::vector<std::vector<LineAccess>> misses_;        ///< of each multiprocessor in this wave
  std::vector<Cache> l2_;                              ///< partitions
  std::unordered_map<std::uint64_t, double> atomics_;  ///< sectors, by line
  /// Sectors read from DRAM so far: a bit each, by line, in pages.
  std::unordered_map<std::uint64_t, std::vector<std::uint8_t>> read_;
  Traffic traffic_;
};

}  // namespace vgpu
