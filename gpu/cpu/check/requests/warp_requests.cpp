// SPDX-License-Identifier: MIT
// Keeps the requests in a list in order of execution; every lane moves along it.
#include "warp_requests.hpp"

#include <algorithm>

namespace gpu::cpu::check {
namespace {

// The initial distance between the order numbers of two entries, so that others fit in between.
constexpr std::uint64_t kGap = std::uint64_t{1} << 24;

}  // namespace

WarpRequests::WarpRequests(int lanes)
    : lanes_(static_cast<std::size_t>(lanes)), cursor_(static_cast<std::size_t>(lanes), kNone) {}

bool WarpRequests::fits(const Entry& entry, int lane, const WarpRequest& access) const {
  const WarpRequest& request = entry.request;
  return request.place == access.place && request.bytes == access.bytes &&
         request.kind == access.kind && request.is_shared == access.is_shared &&
         (request.lanes >> lane & 1U) == 0;
}

void WarpRequests::add(int lane, const WarpRequest& access, std::uint64_t address) {
  std::int32_t& cursor = cursor_[static_cast<std::size_t>(lane)];
  std::int32_t found = cursor == kNone ? first_ : entries_[static_cast<std::size_t>(cursor)].next;
  if (found == kNone || !fits(entries_[static_cast<std::size_t>(found)], lane, access)) {
    const std::uint64_t passed =
        cursor == kNone ? 0 : entries_[static_cast<std::size_t>(cursor)].order;
    found = find_behind(passed, lane, access);
    if (found == kNone) found = insert_behind(cursor, access);
  }
  entries_[static_cast<std::size_t>(found)].request.lanes |= std::uint64_t{1} << lane;
  addresses_[static_cast<std::size_t>(found) * lanes_ + static_cast<std::size_t>(lane)] = address;
  cursor = found;
}

std::int32_t WarpRequests::find_behind(std::uint64_t order, int lane,
                                       const WarpRequest& access) const {
  const auto of_place = at_.find(access.place);
  if (of_place == at_.end()) return kNone;
  const std::vector<std::int32_t>& entries = of_place->second;
  auto entry = std::upper_bound(entries.begin(), entries.end(), order,
                                [&](std::uint64_t passed, std::int32_t other) {
                                  return passed < entries_[static_cast<std::size_t>(other)].order;
                                });
  while (entry != entries.end() &&
         !fits(entries_[static_cast<std::size_t>(*entry)], lane, access)) {
    ++entry;
  }
  return entry == entries.end() ? kNone : *entry;
}

std::int32_t WarpRequests::insert_behind(std::int32_t previous, const WarpRequest& access) {
  const auto index = static_cast<std::int32_t>(entries_.size());
  const std::int32_t next =
      previous == kNone ? first_ : entries_[static_cast<std::size_t>(previous)].next;
  entries_.push_back({access, 0, next});
  entries_.back().request.lanes = 0;
  addresses_.resize(entries_.size() * lanes_);
  (previous == kNone ? first_ : entries_[static_cast<std::size_t>(previous)].next) = index;
  const auto order_of = [&](std::int32_t entry) {
    return entry == kNone ? 0 : entries_[static_cast<std::size_t>(entry)].order;
  };
  const std::uint64_t before = order_of(previous);
  std::uint64_t& order = entries_.back().order;
  order = next == kNone ? before + kGap : before + (order_of(next) - before) / 2;
  if (order == before) renumber();
  std::vector<std::int32_t>& of_place = at_[access.place];
  const auto behind = std::upper_bound(
      of_place.begin(), of_place.end(), order_of(index),
      [&](std::uint64_t mine, std::int32_t other) { return mine < order_of(other); });
  of_place.insert(behind, index);
  return index;
}

void WarpRequests::renumber() {
  std::uint64_t order = 0;
  for (std::int32_t i = first_; i != kNone; i = entries_[static_cast<std::size_t>(i)].next) {
    entries_[static_cast<std::size_t>(i)].order = order += kGap;
  }
}

void WarpRequests::flush(
    const std::function<void(const WarpRequest&, const std::uint64_t*)>& take) {
  for (std::int32_t i = first_; i != kNone; i = entries_[static_cast<std::size_t>(i)].next) {
    const auto index = static_cast<std::size_t>(i);
    take(entries_[index].request, addresses_.data() + index * lanes_);
  }
  entries_.clear();
  addresses_.clear();
  for (auto& [place, entries] : at_) entries.clear();
  std::fill(cursor_.begin(), cursor_.end(), kNone);
  first_ = kNone;
}

}  // namespace gpu::cpu::check
