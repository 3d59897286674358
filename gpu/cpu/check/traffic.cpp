// SPDX-License-Identifier: MIT
// Blocks run one after the other: what a block's warps requested is known when it is done.
#include "traffic.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "arithmetic.hpp"
#include "running_thread.hpp"

namespace gpu::cpu::check {
namespace {

constexpr std::size_t kSectorBytes = 32;

}  // namespace

void WarpAccesses::add(int thread, Address place, Address address, std::size_t bytes) {
  Place& here = places_[place];
  const auto number = static_cast<std::size_t>(thread);
  if (here.rounds.size() <= number) here.rounds.resize(number + 1);
  const std::uint32_t round = here.rounds[number]++;
  const auto warp = static_cast<std::size_t>(thread / warpSize);
  if (here.sectors.size() <= warp) here.sectors.resize(warp + 1);
  if (here.sectors[warp].size() <= round) here.sectors[warp].resize(round + 1);
  std::vector<Address>& sectors = here.sectors[warp][round];
  for (Address sector = address / kSectorBytes; sector * kSectorBytes < address + bytes; ++sector) {
    if (std::ranges::find(sectors, sector) == sectors.end()) sectors.push_back(sector);
  }
}

std::uint64_t WarpAccesses::accesses() const {
  std::uint64_t total = 0;
  for (const auto& [address, place] : places_) {
    for (const auto& warp : place.sectors) total += warp.size();
  }
  return total;
}

std::uint64_t WarpAccesses::sectors() const {
  std::uint64_t total = 0;
  for (const auto& [address, place] : places_) {
    for (const auto& warp : place.sectors) {
      for (const auto& access : warp) total += access.size();
    }
  }
  return total;
}

bool RecentLoads::holds(Address address, std::size_t bytes) {
  const auto end = ranges_.begin() + count_;
  auto known = std::find_if(ranges_.begin(), end,
                            [&](const AddressRange& r) { return r.contains(address, bytes); });
  const bool is_held = known != end;
  const AddressRange range = is_held ? *known : AddressRange{address, address + bytes};
  if (!is_held) {
    count_ = std::min(count_ + 1, Counts::kRegisters);
    known = ranges_.begin() + count_ - 1;
  }
  for (; known != ranges_.begin(); --known) *known = *(known - 1);
  ranges_.front() = range;
  return is_held;
}

void Traffic::block_begins() {
  finish_block();
  block_met();
}

void Traffic::block_met() {
  for (RecentLoads& recent : recent_) recent.clear();
}

void Traffic::warp_met(int number) {
  for (int lane = 0; lane < warpSize; ++lane) {
    recent_[static_cast<std::size_t>(number * warpSize + lane)].clear();
  }
}

void Traffic::note(bool is_shared, AccessKind kind, Address address, std::size_t bytes,
                   Address place, const char* buffer) {
  RecentLoads& recent = recent_[static_cast<std::size_t>(running_thread())];
  if (kind == AccessKind::kRead && recent.holds(address, bytes)) return;
  if (kind != AccessKind::kRead) recent.clear();
  if (kind != AccessKind::kWrite) note_load(is_shared, address, bytes, place);
  if (kind != AccessKind::kRead) note_store(is_shared, address, bytes, place);
  if (buffer == nullptr) return;
  BufferTraffic& of_buffer = of_buffers_[buffer];
  if (kind != AccessKind::kWrite) of_buffer.bytes_loaded += bytes;
  if (kind != AccessKind::kRead) of_buffer.bytes_stored += bytes;
}

void Traffic::note_load(bool is_shared, Address address, std::size_t bytes, Address place) {
  if (is_shared) {
    ++counts_.shared_loads;
    counts_.shared_bytes_loaded += bytes;
    return;
  }
  ++counts_.loads;
  counts_.bytes_loaded += bytes;
  loaded_.add(address, bytes);
  warp_loads_.add(running_thread(), place, address, bytes);
}

void Traffic::note_store(bool is_shared, Address address, std::size_t bytes, Address place) {
  if (is_shared) {
    ++counts_.shared_stores;
    counts_.shared_bytes_stored += bytes;
    return;
  }
  ++counts_.stores;
  counts_.bytes_stored += bytes;
  stored_.add(address, bytes);
  warp_stores_.add(running_thread(), place, address, bytes);
}

void Traffic::launch_ends() {
  finish_block();
  for (auto& [place, code] : code_) {
    if (!code.flops) {
      double flops = 0;
      for (const LineArithmetic& line : arithmetic_of(place)) flops += line.work.flops();
      code.flops = static_cast<std::uint64_t>(flops);
    }
    counts_.executed_flops += std::exchange(code.times, 0) * *code.flops;
  }
}

Counts Traffic::result() {
  finish_block();
  counts_.distinct_bytes_loaded = loaded_.size();
  counts_.distinct_bytes_stored = stored_.size();
  return counts_;
}

TrafficByName Traffic::by_name() const {
  return {of_buffers_.begin(), of_buffers_.end()};
}

std::uint64_t Traffic::digest(const base::SipKey& key) const {
  const auto hash = [&](const auto& plain) {
    return base::siphash(key, {reinterpret_cast<const char*>(&plain), sizeof plain});
  };
  std::uint64_t of_code = 0;  // a sum, because they are unordered
  for (const auto& [place, code] : code_) {
    of_code += hash(std::array<std::uint64_t, 3>{place, code.times, code.flops.value_or(0)});
  }
  const std::array<std::uint64_t, 4> all = {hash(counts_), loaded_.digest(key), stored_.digest(key),
                                            of_code};
  return base::siphash(key, {reinterpret_cast<const char*>(all.data()), sizeof all});
}

void Traffic::finish_block() {
  counts_.warp_loads += warp_loads_.accesses();
  counts_.warp_stores += warp_stores_.accesses();
  counts_.sectors_loaded += warp_loads_.sectors();
  counts_.sectors_stored += warp_stores_.sectors();
  warp_loads_.clear();
  warp_stores_.clear();
}

}  // namespace gpu::cpu::check
