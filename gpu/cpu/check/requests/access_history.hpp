// SPDX-License-Identifier: MIT
// Remembers who last accessed each four-byte word, to find unordered accesses by two threads.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "memory_map.hpp"

namespace gpu::cpu::check {

enum class AccessKind : std::uint8_t { kRead, kWrite, kAtomic };

/// One access by one thread, and when it happened within its block.
struct Access {
  Address place = 0;                 ///< address in the program, for file and line
  std::uint32_t block_interval = 0;  ///< barriers of the block so far
  std::uint32_t warp_interval = 0;   ///< warp synchronisations so far
  std::int32_t block = -1;           ///< a grid has at most 2^31 - 1 blocks
  std::int16_t thread = 0;
  std::int8_t warp = 0;
  std::uint8_t bytes : 4 = 0;  ///< one bit per byte of the word
  AccessKind kind : 4 = AccessKind::kRead;
};

/// True when nothing orders `a` and `b` (of different threads).
bool unordered(const Access& a, const Access& b);

/// A conflict between two accesses to a word.
struct Conflict {
  Access earlier, later;
  /// Where the earlier thread had read the word that it wrote; 0 if it had not. If that is the same
  /// line, the thread was updating the word, and one of the two updates is lost.
  Address read_before = 0;
};

/// The accesses of one launch to global memory, or of one block to shared memory.
class AccessHistory {
 public:
  /// Forgets everything.
  void clear();
  /// Adds an access of `size` bytes at `address`; returns a conflict with an earlier one.
  /// Accesses of the blocks in `visible` are ordered before it.
  std::optional<Conflict> add(Address address, std::size_t size, const Access& access,
                              const std::unordered_set<std::int32_t>& visible = {});
  /// True if every byte has been written since clear().
  bool was_written(Address address, std::size_t size);

 private:
  struct Word {
    Access write;             // the last one that was not atomic
    Access read, other_read;  // by two different threads
    std::uint8_t written = 0;
    bool has_atomics = false;
  };
  /// The atomic accesses to a word. They do not replace its last write: an atomic by the thread
  /// that wrote does not order that write before other threads' accesses. Few words have any.
  struct Atomics {
    Access last, of_other_thread, of_other_block;
    void add(const Access& access);
  };

  std::optional<Conflict> add_to_word(Address address, const Access& access,
                                      const std::unordered_set<std::int32_t>& visible);

  /// The words of one region of memory; only those written since the last clear() are valid.
  struct Page {
    std::uint64_t life = 0;
    std::array<Word, 256> words;
  };
  Word& word(Address address);

  std::unordered_map<Address, Page> pages_;
  std::unordered_map<Address, Atomics> atomics_;  // by the word's address
  Page* last_page_ = nullptr;
  Address last_number_ = 0;
  std::uint64_t life_ = 1;
};

}  // namespace gpu::cpu::check
