// SPDX-License-Identifier: MIT
// Counts the accesses of checked kernels, the bytes they touch, and the sectors that warps request.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "address_map.hpp"
#include "address_set.hpp"
#include "base/siphash.hpp"
#include "gpu/counts.hpp"
#include "memory_map.hpp"
#include "requests/access_history.hpp"

namespace gpu::cpu::check {

/// The accesses of one block. Lanes of a warp execute an access together if it is at the same place
/// in the program and in the same iteration.
class WarpAccesses {
 public:
  void clear() { places_.clear(); }
  void add(int thread, Address place, Address address, std::size_t bytes);
  std::uint64_t accesses() const;
  std::uint64_t sectors() const;

 private:
  struct Place {
    std::vector<std::uint32_t> rounds;                       ///< of each thread, so far
    std::vector<std::vector<std::vector<Address>>> sectors;  ///< by warp and round
  };
  std::unordered_map<Address, Place> places_;
};

/// The values that a thread has read and may still hold in registers, see Counts.
class RecentLoads {
 public:
  void clear() { count_ = 0; }
  /// True if the thread still has the value; otherwise remembers it.
  bool holds(Address address, std::size_t bytes);

 private:
  std::array<AddressRange, Counts::kRegisters> ranges_;  ///< most recently read first
  int count_ = 0;
};

/// Counts between two calls of result().
class Traffic {
 public:
  void block_begins();
  void block_met();
  void warp_met(int number);
  /// An access of the running thread to device memory or, if `is_shared`, to shared memory.
  /// `buffer` is the buffer's name, or null if it has none.
  void note(bool is_shared, AccessKind kind, Address address, std::size_t bytes, Address place,
            const char* buffer);
  Counts& counts() { return counts_; }
  /// A thread enters the basic block behind `place`.
  void enter_code(Address place) { ++code_[place].times; }
  /// The last block is done; what follows belongs to another launch.
  void launch_ends();
  /// A digest of everything counted so far, taken between launches.
  std::uint64_t digest(const base::SipKey& key) const;
  /// Everything counted.
  Counts result();
  TrafficByName by_name() const;

 private:
  /// A basic block.
  struct Code {
    std::uint64_t times = 0;  ///< entered in this launch, by any thread
    std::optional<std::uint64_t> flops{};
  };

  void finish_block();
  void note_load(bool is_shared, Address address, std::size_t bytes, Address place);
  void note_store(bool is_shared, Address address, std::size_t bytes, Address place);

  Counts counts_;
  AddressSet loaded_, stored_;  ///< bytes
  WarpAccesses warp_loads_, warp_stores_;
  std::unordered_map<const char*, BufferTraffic> of_buffers_;
  std::vector<RecentLoads> recent_ = std::vector<RecentLoads>(1024);  ///< of each thread
  AddressMap<Code> code_;
};

}  // namespace gpu::cpu::check
