// SPDX-License-Identifier: MIT
// Remembers who last touched each four bytes, to find two threads that did so without order.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "memory_map.hpp"

namespace gpu::cpu::check {

enum class AccessKind : std::uint8_t { kRead, kWrite, kAtomic };

/// One access by one thread, and when in the life of its block it was.
struct Access {
  Address place = 0;  ///< in the program, for file and line
  std::int64_t block = -1;
  std::int32_t thread = 0, warp = 0;
  std::uint32_t block_interval = 0;  ///< barriers of the block so far
  std::uint32_t warp_interval = 0;   ///< meetings of the warp so far
  std::uint8_t bytes = 0;            ///< one bit per byte of the word
  AccessKind kind = AccessKind::kRead;
};

/// True when nothing puts `a` and `b` (of different threads) in an order.
bool unordered(const Access& a, const Access& b);

/// What was found wrong about a word's use.
struct Conflict {
  Access earlier, later;
  bool lost_update;  ///< both threads read the word and wrote it back
};

/// The accesses of one launch to global memory, or of one block to shared memory.
class AccessHistory {
 public:
  /// Forgets everything.
  void clear();
  /// Adds an access of `size` bytes at `address`; returns a conflict with an earlier one.
  std::optional<Conflict> add(Address address, std::size_t size, const Access& access);
  /// True if every byte has been written since clear().
  bool was_written(Address address, std::size_t size) const;

 private:
  struct Word {
    Access write, read, other_read;  // reads by two different threads
    std::uint8_t written = 0;
  };

  std::optional<Conflict> add_to_word(Word& word, const Access& access);

  std::unordered_map<Address, Word> words_;
};

}  // namespace gpu::cpu::check
