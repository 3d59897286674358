// SPDX-License-Identifier: MIT
// What Unicode says of the parts of characters; Hangul, which follows a rule, is not in it.
#pragma once

#include <span>

namespace engine {

/// A character that stands for two others (or, with second = 0, for one).
struct Decomposition {
  char32_t whole;
  char32_t first;
  char32_t second;
  bool is_composed = false;  ///< NFC makes `whole` of the two
};

/// Neighbouring characters of one combining class, which is not 0.
struct CombiningRange {
  char32_t first;
  char32_t last;
  unsigned char combining_class;
};

/// By `whole`, ascending.
std::span<const Decomposition> decompositions();
/// By `first`, ascending.
std::span<const CombiningRange> combining_ranges();

}  // namespace engine
