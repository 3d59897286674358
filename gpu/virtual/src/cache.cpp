// SPDX-License-Identifier: MIT
// As on GPUs, the set is not simply the low bits of a line's number: power-of-two strides would map
// to few sets.
#include "vgpu/cache.hpp"

#include <algorithm>
#include <bit>

namespace vgpu {
namespace {

std::uint64_t mixed(std::uint64_t number) {
  number ^= number >> 33;
  number *= 0xff51afd7ed558ccdULL;
  return number ^ (number >> 33);
}

}  // namespace

Cache::Cache(std::int64_t bytes, int line_bytes, Placement placement, int ways)
    : placement_(placement),
      ways_(ways),
      sets_(static_cast<std::uint64_t>(std::max<std::int64_t>(1, bytes / line_bytes / ways))),
      memory_(sets_ * static_cast<std::uint64_t>(ways)) {}

CacheLine* Cache::set_of(std::uint64_t number) {
  constexpr std::uint64_t kTurn = 40503;  // odd, so that each pass over the sets starts elsewhere
  const std::uint64_t place =
      placement_ == Placement::kHashed ? mixed(number) : number + number / sets_ * kTurn;
  return memory_.data() + (place % sets_) * static_cast<std::uint64_t>(ways_);
}

CacheLine* Cache::find(std::uint64_t number) {
  CacheLine* const set = set_of(number);
  CacheLine* const line =
      std::find_if(set, set + ways_, [&](const CacheLine& l) { return l.number == number; });
  if (line == set + ways_) return nullptr;
  line->used = ++clock_;
  return line;
}

CacheLine& Cache::insert(std::uint64_t number, CacheLine& evicted) {
  CacheLine* const set = set_of(number);
  CacheLine& oldest = *std::min_element(
      set, set + ways_, [](const CacheLine& a, const CacheLine& b) { return a.used < b.used; });
  evicted = oldest;
  oldest = {.number = number, .used = ++clock_};
  return oldest;
}

CacheLine* Cache::dirty_behind(std::uint64_t number, int lines) {
  CacheLine* const set = set_of(number);
  for (CacheLine* line = set; line < set + ways_; ++line) {
    const auto is_newer = [&](const CacheLine& other) { return other.used > line->used; };
    if (line->dirty != 0 && std::count_if(set, set + ways_, is_newer) >= lines) return line;
  }
  return nullptr;
}

CacheLine* Cache::partly_written_behind(std::uint64_t number, int lines) {
  CacheLine* const set = set_of(number);
  CacheLine* oldest = nullptr;
  int found = 0;
  for (CacheLine* line = set; line < set + ways_; ++line) {
    if (!line->is_partly_written()) continue;
    ++found;
    if (oldest == nullptr || line->used < oldest->used) oldest = line;
  }
  return found > lines ? oldest : nullptr;
}

std::uint64_t Cache::dirty_sectors() const {
  std::uint64_t count = 0;
  for (const CacheLine& line : memory_) count += static_cast<unsigned>(std::popcount(line.dirty));
  return count;
}

}  // namespace vgpu
