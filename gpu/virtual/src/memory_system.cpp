// SPDX-License-Identifier: MIT
// L1 of each multiprocessor, then the shared L2, then DRAM.
#include "vgpu/memory_system.hpp"

#include <algorithm>
#include <bit>

namespace vgpu {
namespace {

/// Of 16 neighbouring lines in L2, dirty ones are written back once this many others have been used
/// since, and no more than the second number stay partly written. These numbers reproduce the DRAM
/// writes of copies with strides from 1 to 64 on an H200 (docs/pages/virtual_gpu.md).
constexpr int kDirtyLines = 11;
constexpr int kPartlyWrittenLines = 2;

constexpr double Traffic::*kFigures[] = {
    &Traffic::l1_load_sectors,   &Traffic::l1_load_hits,      &Traffic::l2_read_sectors,
    &Traffic::l2_read_hits,      &Traffic::l2_write_sectors,  &Traffic::l2_write_parts,
    &Traffic::l2_atomic_sectors, &Traffic::dram_sectors_read, &Traffic::dram_sectors_written,
    &Traffic::dram_sectors_first};

int count(std::uint8_t sectors) {
  return std::popcount(sectors);
}

std::uint8_t bit_of(int sector) {
  return static_cast<std::uint8_t>(1U << sector);
}

}  // namespace

Traffic& Traffic::operator+=(const Traffic& other) {
  for (double Traffic::*figure : kFigures) this->*figure += other.*figure;
  return *this;
}

Traffic& Traffic::operator-=(const Traffic& other) {
  for (double Traffic::*figure : kFigures) this->*figure -= other.*figure;
  return *this;
}

Traffic& Traffic::operator*=(double factor) {
  for (double Traffic::*figure : kFigures) this->*figure *= factor;
  return *this;
}

MemorySystem::MemorySystem(const Geometry& geometry, std::int64_t shared_bytes, double share)
    : geometry_(geometry),
      l1_bytes_(geometry.l1_holds_shared ? geometry.l1_bytes - shared_bytes : geometry.l1_bytes),
      l2_(static_cast<std::size_t>(geometry.l2_partitions),
          Cache(static_cast<std::int64_t>(share * static_cast<double>(geometry.l2_bytes) /
                                          geometry.l2_partitions),
                geometry.line_bytes, Placement::kEven)) {}

void MemorySystem::run(int number, std::span<const WarpStream> warps) {
  const auto index = static_cast<std::size_t>(number);
  while (l1_.size() <= index)
    l1_.emplace_back(l1_bytes_, geometry_.sector_bytes, Placement::kHashed);
  misses_.resize(std::max(misses_.size(), index + 1));
  Cache& l1 = l1_[index];
  std::vector<LineAccess>& misses = misses_[index];
  std::size_t longest = 0;
  for (const WarpStream& warp : warps) longest = std::max(longest, warp.requests());
  for (std::size_t turn = 0; turn < longest; ++turn) {
    for (const WarpStream& warp : warps) {
      if (turn >= warp.requests()) continue;
      for (const LineAccess& access : warp.request(turn)) {
        if (access.access == Access::kLoad) {
          load(l1, access, misses);
        } else {
          misses.push_back(access);  // L1 writes through and does not allocate on a write
        }
      }
    }
  }
}

void MemorySystem::load(Cache& l1, LineAccess access, std::vector<LineAccess>& misses) {
  traffic_.l1_load_sectors += count(access.sectors);
  // Sectors are cached one by one: a single sector does not reserve room for the rest of its line.
  for (int sector = 0; sector < kSectorsPerLine; ++sector) {
    if ((access.sectors & bit_of(sector)) == 0) continue;
    const std::uint64_t number = access.line * kSectorsPerLine + static_cast<unsigned>(sector);
    if (l1.find(number) != nullptr) {
      ++traffic_.l1_load_hits;
      access.sectors &= static_cast<std::uint8_t>(~bit_of(sector));
    } else {
      CacheLine evicted;
      l1.insert(number, evicted);
    }
  }
  if (access.sectors != 0) misses.push_back(access);
}

void MemorySystem::end_wave() {
  std::size_t longest = 0;
  for (const auto& misses : misses_) longest = std::max(longest, misses.size());
  const auto of_all = static_cast<std::size_t>(geometry_.multiprocessors);
  for (std::size_t turn = 0; turn < longest; ++turn) {
    for (std::size_t number = 0; number < misses_.size(); ++number) {
      if (turn >= misses_[number].size()) continue;
      reach_l2(misses_[number][turn], static_cast<int>(number * l2_.size() / of_all));
    }
  }
  for (auto& misses : misses_) misses.clear();
}

std::uint64_t MemorySystem::dirty_sectors() const {
  std::uint64_t sum = 0;
  for (const Cache& l2 : l2_) sum += l2.dirty_sectors();
  return sum;
}

double MemorySystem::atomics_of_a_line() const {
  double most = 0;
  for (const auto& [line, sectors] : atomics_) most = std::max(most, sectors);
  return most;
}

int MemorySystem::home_of(std::uint64_t line) const {
  return static_cast<int>((line ^ line >> 7 ^ line >> 15) % l2_.size());
}

CacheLine& MemorySystem::line_in_l2(std::uint64_t number, Cache& l2) {
  if (CacheLine* const line = l2.find(number)) return *line;
  CacheLine evicted;
  CacheLine& line = l2.insert(number, evicted);
  write_back(evicted);
  while (CacheLine* const old = l2.dirty_behind(number, kDirtyLines)) write_back(*old);
  return line;
}

void MemorySystem::reach_l2(const LineAccess& access, int partition) {
  if (access.access == Access::kLoad) {
    Cache& l2 = l2_[static_cast<std::size_t>(partition)];
    load_from_l2(line_in_l2(access.line, l2), access.sectors, partition);
    return;
  }
  // Modified data has a single home for all multiprocessors.
  Cache& l2 = l2_[static_cast<std::size_t>(home_of(access.line))];
  CacheLine& line = line_in_l2(access.line, l2);
  if (access.access == Access::kStore) return store_to_l2(line, access, l2);
  traffic_.l2_atomic_sectors += count(access.sectors);
  atomics_[access.line] += count(access.sectors);
  fetch(line, static_cast<std::uint8_t>(access.sectors & ~line.valid));
  line.dirty |= access.sectors;
}

void MemorySystem::load_from_l2(CacheLine& line, std::uint8_t sectors, int partition) {
  auto missing = static_cast<std::uint8_t>(sectors & ~line.valid);
  traffic_.l2_read_sectors += count(sectors);
  traffic_.l2_read_hits += count(sectors) - count(missing);
  for (int other = 0; missing != 0 && other < static_cast<int>(l2_.size()); ++other) {
    if (other == partition) continue;
    const CacheLine* const copy = l2_[static_cast<std::size_t>(other)].find(line.number);
    if (copy == nullptr) continue;
    line.valid |= static_cast<std::uint8_t>(missing & copy->valid);
    missing &= static_cast<std::uint8_t>(~copy->valid);
  }
  fetch(line, missing);
}

void MemorySystem::store_to_l2(CacheLine& line, const LineAccess& access, Cache& l2) {
  traffic_.l2_write_sectors += count(access.sectors);
  line.dirty |= access.sectors;
  bool is_whole = true;
  for (int sector = 0; sector < kSectorsPerLine; ++sector) {
    if ((access.sectors & bit_of(sector)) == 0) continue;
    std::uint32_t& written = line.written[static_cast<std::size_t>(sector)];
    written |= access.bytes[static_cast<std::size_t>(sector)];
    is_whole = is_whole && access.bytes[static_cast<std::size_t>(sector)] == kWholeSector;
    if (written == kWholeSector) line.valid |= bit_of(sector);
  }
  if (!is_whole) ++traffic_.l2_write_parts;
  if (!line.is_partly_written()) return;
  if (CacheLine* const old = l2.partly_written_behind(access.line, kPartlyWrittenLines)) {
    write_back(*old);
  }
}

/// Reads the missing sectors, and the neighbours that DRAM delivers with them.
void MemorySystem::fetch(CacheLine& line, std::uint8_t sectors) {
  const int together = geometry_.dram_fetch_bytes / geometry_.sector_bytes;
  for (int first = 0; first < kSectorsPerLine; first += together) {
    const auto group = static_cast<std::uint8_t>(((1U << together) - 1U) << first);
    if ((sectors & group) == 0) continue;
    const auto read = static_cast<std::uint8_t>(group & ~line.valid);
    note_read(line.number, read);
    line.valid |= read;
  }
}

void MemorySystem::note_read(std::uint64_t line, std::uint8_t sectors) {
  constexpr std::uint64_t kLinesOfPage = 1 << 14;
  traffic_.dram_sectors_read += count(sectors);
  std::vector<std::uint8_t>& page = read_[line / kLinesOfPage];
  page.resize(kLinesOfPage);
  std::uint8_t& before = page[line % kLinesOfPage];
  traffic_.dram_sectors_first += count(static_cast<std::uint8_t>(sectors & ~before));
  before |= sectors;
}

/// Partly written sectors are read first, to complete them. The line stays cached, now clean.
void MemorySystem::write_back(CacheLine& line) {
  traffic_.dram_sectors_written += count(line.dirty);
  note_read(line.number, static_cast<std::uint8_t>(line.dirty & ~line.valid));
  line.valid |= line.dirty;
  line.dirty = 0;
  line.written = {};
}

}  // namespace vgpu
