// SPDX-License-Identifier: MIT
// Unicode's decompositions of characters; Hangul is not included, because it follows a rule.
#pragma once

#include <span>

namespace engine {

/// A character that is equivalent to two others (or, with second = 0, to one).
struct Decomposition {
  char32_t whole;
  char32_t first;
  char32_t second;
  bool is_composed = false;  ///< NFC composes the two into `whole`
};

/// Consecutive characters of one combining class other than 0.
struct CombiningRange {
  char32_t first;
  char32_t last;
  unsigned char combining_class;
};

/// Sorted by `whole`.
std::span<const Decomposition> decompositions();
/// Sorted by `first`.
std::span<const CombiningRange> combining_ranges();

}  // namespace engine
