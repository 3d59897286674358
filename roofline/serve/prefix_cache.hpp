// SPDX-License-Identifier: MIT
// Blocks of the paged cache, and prompt prefixes that stay in it for other requests.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>

namespace roofline::serve {

/// Counts blocks. Cached prefixes that nobody uses are evicted, least recently used first.
class BlockPool {
 public:
  explicit BlockPool(std::optional<std::int64_t> blocks) : total_(blocks) {}

  /// Takes blocks, evicting unused prefixes; if that is not enough, takes nothing and returns
  /// false.
  bool take(std::int64_t blocks);
  void give_back(std::int64_t blocks) { used_ -= blocks; }

  /// Fraction of the blocks in use, including cached prefixes.
  double used_part() const;
  std::optional<std::int64_t> total() const { return total_; }

  /// True if the group's prefix is cached and computed; it then counts as used until release().
  bool use(std::int64_t group);

  /// Hands blocks of a sequence over to the cache as the group's prefix, in use by that sequence.
  /// If the group already has one, changes nothing and returns false.
  bool keep(std::int64_t group, std::int64_t blocks);
  void release(std::int64_t group);

 private:
  struct Beginning {
    std::int64_t blocks = 0;
    std::int64_t users = 0;
    std::list<std::int64_t>::iterator place;  ///< position among the unused; only if users is 0
  };

  std::optional<std::int64_t> total_;
  std::int64_t used_ = 0;
  std::unordered_map<std::int64_t, Beginning> beginnings_;
  std::list<std::int64_t> unused_;  ///< groups, least recently used first
};

}  // namespace roofline::serve
