// SPDX-License-Identifier: MIT
// Comparison of computed elements with a double-precision truth.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "harness/element.hpp"

namespace harness {

/// An element counts as right when |is - should| <= absolute + relative * scale, where the scale
/// says how large the terms were that the truth added up (its own magnitude when not given).
/// NaN is right only where NaN should be, an infinity only where the same infinity should be.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// One wrong element.
struct Mismatch {
  std::size_t index = 0;
  double is = 0;
  double should = 0;
  double limit = 0;  ///< largest allowed |is - should|
};

/// The outcome of comparing a whole buffer.
struct Comparison {
  std::size_t compared = 0;
  std::size_t wrong = 0;
  double worst_ratio = 0;       ///< largest |is - should| / limit over finite wrong elements
  std::vector<Mismatch> first;  ///< the first wrong elements, at most kShownMismatches
};

inline constexpr std::size_t kShownMismatches = 10;

/// Compares `should.size()` elements at `is` with the truth. `scale` is empty or as long.
Comparison compare(Element element, std::span<const std::byte> is, std::span<const double> should,
                   std::span<const double> scale, const Tolerance& tolerance);

/// The lines "index  is  should  limit" of the first wrong elements, for people.
std::string describe(const Comparison& comparison);

}  // namespace harness
