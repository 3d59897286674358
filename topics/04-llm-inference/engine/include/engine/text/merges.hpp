// SPDX-License-Identifier: MIT
// The merges of a BPE tokenizer, and how they turn the parts of a piece into tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace engine {

/// Pairs of neighbouring tokens that become one, in the order in which they were learnt.
class Merges {
 public:
  /// The next merge of the list. Of equal pairs the first counts.
  void add(std::int32_t left, std::int32_t right, std::int32_t result);
  /// Replaces the parts by tokens: always the earliest merge of the list that applies anywhere, at
  /// its leftmost place, until none applies. Takes n log n steps for n parts.
  void apply(std::vector<std::int32_t>& parts) const;

 private:
  struct Merge {
    std::size_t rank;
    std::int32_t result;
  };
  const Merge* find(std::int32_t left, std::int32_t right) const;

  std::unordered_map<std::uint64_t, Merge> merges_;
};

}  // namespace engine
