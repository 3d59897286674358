// SPDX-License-Identifier: MIT
// The race rule: two threads, the same byte, one of them writes, not both atomically, no order.
#include "access_history.hpp"

#include <algorithm>

namespace gpu::cpu::check {
namespace {

constexpr std::size_t kWordBytes = 4;

// Calls visit(word address, mask of bytes) for each word of the range.
template <class Visit>
void for_each_word(Address address, std::size_t size, const Visit& visit) {
  const Address end = address + size;
  while (address < end) {
    const Address word = address & ~(kWordBytes - 1);
    const Address stop = std::min(end, word + kWordBytes);
    const unsigned mask = (1u << (stop - word)) - (1u << (address - word));
    visit(word, static_cast<std::uint8_t>(mask));
    address = stop;
  }
}

bool same_thread(const Access& a, const Access& b) {
  return a.block == b.block && a.thread == b.thread;
}

bool conflicts(const Access& earlier, const Access& later) {
  if (earlier.block < 0 || (earlier.bytes & later.bytes) == 0) return false;
  if (earlier.kind == AccessKind::kRead && later.kind == AccessKind::kRead) return false;
  if (earlier.kind == AccessKind::kAtomic && later.kind == AccessKind::kAtomic) return false;
  return unordered(earlier, later);
}

}  // namespace

bool unordered(const Access& a, const Access& b) {
  if (a.block != b.block) return true;
  if (a.thread == b.thread || a.block_interval != b.block_interval) return false;
  return a.warp != b.warp || a.warp_interval == b.warp_interval;
}

void AccessHistory::clear() {
  words_.clear();
}

std::optional<Conflict> AccessHistory::add(Address address, std::size_t size,
                                           const Access& access) {
  std::optional<Conflict> found;
  for_each_word(address, size, [&](Address word, std::uint8_t mask) {
    Access part = access;
    part.bytes = mask;
    if (auto conflict = add_to_word(words_[word], part)) found = conflict;
  });
  return found;
}

bool AccessHistory::was_written(Address address, std::size_t size) const {
  bool all = true;
  for_each_word(address, size, [&](Address word, std::uint8_t mask) {
    const auto found = words_.find(word);
    all = all && found != words_.end() && (found->second.written & mask) == mask;
  });
  return all;
}

std::optional<Conflict> AccessHistory::add_to_word(Word& word, const Access& access) {
  std::optional<Conflict> found;
  const auto compare = [&](const Access& earlier) {
    if (found || !conflicts(earlier, access)) return;
    const auto read_by = [&](const Access& who) {
      return (word.read.block >= 0 && same_thread(word.read, who)) ||
             (word.other_read.block >= 0 && same_thread(word.other_read, who));
    };
    const bool lost_update = earlier.kind == AccessKind::kWrite &&
                             access.kind != AccessKind::kAtomic && read_by(earlier);
    found = Conflict{earlier, access, lost_update};
  };
  compare(word.write);
  if (access.kind != AccessKind::kRead) {
    compare(word.read);
    compare(word.other_read);
    word.write = access;
    word.written |= access.bytes;
  } else {
    if (word.read.block >= 0 && !same_thread(word.read, access)) word.other_read = word.read;
    word.read = access;
  }
  return found;
}

}  // namespace gpu::cpu::check
