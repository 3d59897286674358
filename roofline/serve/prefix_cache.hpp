// SPDX-License-Identifier: MIT
// Blocks of the paged cache, and beginnings of prompts that stay in it for others.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>

namespace roofline::serve {

/// Counts blocks. Kept prefixes that nobody uses are evicted, least recently used first.
class BlockPool {
 public:
  explicit BlockPool(std::optional<std::int64_t> blocks) : total_(blocks) {}

  /// Takes blocks, evicting what nobody uses; false, and nothing taken, where that is not enough.
  bool take(std::int64_t blocks);
  void give_back(std::int64_t blocks) { used_ -= blocks; }

  /// Part of the blocks in use, kept beginnings included.
  double used_part() const;
  std::optional<std::int64_t> total() const { return total_; }

  /// True when the group's beginning is there and computed; then it is in use until release().
  bool use(std::int64_t group);

  /// Gives blocks that a sequence holds to the cache as the group's prefix, in use by that
  /// sequence. False, and nothing changed, if the group already has one.
  bool keep(std::int64_t group, std::int64_t blocks);
  void release(std::int64_t group);

 private:
  struct Beginning {
    std::int64_t blocks = 0;
    std::int64_t users = 0;
    std::list<std::int64_t>::iterator place;  ///< among the unused; only where users is 0
  };

  std::optional<std::int64_t> total_;
  std::int64_t used_ = 0;
  std::unordered_map<std::int64_t, Beginning> beginnings_;
  std::list<std::int64_t> unused_;  ///< groups, the one unused longest first
};

}  // namespace roofline::serve
