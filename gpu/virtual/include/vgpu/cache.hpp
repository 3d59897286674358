// SPDX-License-Identifier: MIT
// A set-associative cache of lines of four sectors.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace vgpu {

/// Sectors per line.
inline constexpr int kSectorsPerLine = 4;
/// A mask with one bit for each of the 32 bytes of a sector.
inline constexpr std::uint32_t kWholeSector = ~std::uint32_t{0};

/// A line in a cache. Masks have one bit per sector.
struct CacheLine {
  std::uint64_t number = ~std::uint64_t{0};
  std::uint32_t used = 0;
  std::uint8_t valid = 0;  ///< all bytes of the sector are present
  std::uint8_t dirty = 0;  ///< written, but not yet in the level below
  /// For a dirty sector that is not valid: the bytes that were written.
  std::array<std::uint32_t, kSectorsPerLine> written{};

  bool is_partly_written() const { return (dirty & ~valid) != 0; }
};

/// How lines are spread over the sets of a cache.
enum class Placement {
  kEven,    ///< contiguous memory fills all sets evenly
  kHashed,  ///< pseudo-random: a piece that would just fit, or is a little larger,
            ///< fits only in part
};

/// Least recently used lines go first.
class Cache {
 public:
  /// @param bytes rounded down to whole sets, at least one
  /// @param line_bytes of a line
  /// @param placement of lines in sets
  /// @param ways lines of a set
  Cache(std::int64_t bytes, int line_bytes, Placement placement, int ways = 16);

  /// The line, marked as recently used; nullptr if it is not cached.
  CacheLine* find(std::uint64_t number);
  /// Makes room for a line that is not cached; `evicted` receives the line that it displaces.
  CacheLine& insert(std::uint64_t number, CacheLine& evicted);
  /// In the set of line `number`: dirty_behind() finds a dirty line after which at least `lines`
  /// others were used, partly_written_behind() the oldest partly written one if there are more than
  /// `lines`. Both return nullptr if there is none.
  CacheLine* dirty_behind(std::uint64_t number, int lines);
  CacheLine* partly_written_behind(std::uint64_t number, int lines);
  /// Dirty sectors that are still in the cache.
  std::uint64_t dirty_sectors() const;

 private:
  CacheLine* set_of(std::uint64_t number);

  Placement placement_;
  int ways_;
  std::uint64_t sets_;
  std::uint32_t clock_ = 0;
  std::vector<CacheLine> memory_;
};

}  // namespace vgpu
