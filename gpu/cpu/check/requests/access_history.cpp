// SPDX-License-Identifier: MIT
// The race rule: two threads access the same byte, at least one writes, not both are atomic, and
// nothing orders them.
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

void AccessHistory::Atomics::add(const Access& access) {
  if (last.block >= 0 && last.block != access.block) {
    of_other_block = last;
  } else if (last.block >= 0 && last.thread != access.thread) {
    of_other_thread = last;
  }
  last = access;
}

void AccessHistory::clear() {
  ++life_;
  atomics_.clear();
}

AccessHistory::Word& AccessHistory::word(Address address) {
  constexpr std::size_t kPageBytes = kWordBytes * std::tuple_size_v<decltype(Page::words)>;
  const Address number = address / kPageBytes;
  if (last_page_ == nullptr || number != last_number_) {
    last_page_ = &pages_[number];
    last_number_ = number;
  }
  if (last_page_->life != life_) {
    last_page_->words.fill(Word{});
    last_page_->life = life_;
  }
  return last_page_->words[address % kPageBytes / kWordBytes];
}

std::optional<Conflict> AccessHistory::add(Address address, std::size_t size, const Access& access,
                                           const std::unordered_set<std::int32_t>& visible) {
  std::optional<Conflict> found;
  for_each_word(address, size, [&](Address word, std::uint8_t mask) {
    Access part = access;
    part.bytes = mask & 0xf;
    if (auto conflict = add_to_word(word, part, visible)) found = conflict;
  });
  return found;
}

bool AccessHistory::was_written(Address address, std::size_t size) {
  bool all = true;
  for_each_word(address, size, [&](Address word, std::uint8_t mask) {
    all = all && (this->word(word).written & mask) == mask;
  });
  return all;
}

std::optional<Conflict> AccessHistory::add_to_word(
    Address address, const Access& access, const std::unordered_set<std::int32_t>& visible) {
  Word& word = this->word(address);
  std::optional<Conflict> found;
  const auto compare = [&](const Access& earlier) {
    if (found || !conflicts(earlier, access)) return;
    if (earlier.block != access.block && visible.contains(earlier.block)) return;
    found = Conflict{earlier, access, 0};
    if (earlier.kind != AccessKind::kWrite || access.kind == AccessKind::kAtomic) return;
    for (const Access* read : {&word.read, &word.other_read}) {
      if (read->block >= 0 && same_thread(*read, earlier)) found->read_before = read->place;
    }
  };
  compare(word.write);
  if (word.has_atomics && access.kind != AccessKind::kAtomic) {
    const Atomics& atomics = atomics_.at(address);
    compare(atomics.last);
    compare(atomics.of_other_thread);
    compare(atomics.of_other_block);
  }
  if (access.kind == AccessKind::kRead) {
    if (word.read.block >= 0 && !same_thread(word.read, access)) word.other_read = word.read;
    word.read = access;
    return found;
  }
  compare(word.read);
  compare(word.other_read);
  word.written |= access.bytes;
  if (access.kind == AccessKind::kAtomic) {
    word.has_atomics = true;
    atomics_[address].add(access);
  } else {
    word.write = access;
  }
  return found;
}

}  // namespace gpu::cpu::check
