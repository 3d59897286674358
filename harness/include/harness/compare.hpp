// SPDX-License-Identifier: MIT
// Comparison of computed elements with a double-precision oracle.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/element.hpp"

namespace harness {

/// An element counts as right when |is - should| <= absolute + relative * scale, where the scale
/// is the size of the terms that the oracle added up (the value's own magnitude when not given).
/// NaN is right only where NaN should be, an infinity only where the same infinity should be.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

/// An axis of a buffer that represents a grid: what is counted along it ("row"), and its length.
struct Axis {
  std::string name;
  std::size_t extent = 0;
};

/// One wrong element.
struct Mismatch {
  std::size_t index = 0;
  bool is_unwritten =
      false;  ///< the element still has the bits that an output is filled with before the call
  bool is_as_before = false;  ///< the same of a whole number, which may also have been computed
  double is = 0;
  double should = 0;
  double limit = 0;  ///< largest allowed |is - should|
};

/// The outcome of comparing a whole buffer.
struct Comparison {
  std::size_t compared = 0;
  std::size_t wrong = 0;
  double worst_ratio = 0;  ///< largest |is - should| / limit over finite wrong elements
  /// All are off by no more than numbers of so many bits, fewer than the elements have, are from
  /// what was rounded to them; else 0.
  int like_bits = 0;
  /// What all wrong elements are times what they should be: a whole number or one over it, or where
  /// several different elements agree any number; 0 where there is no such factor.
  double factor = 0;
  /// The element whose value the first wrong one has, as by a wrong index; nothing where that may
  /// be chance.
  std::optional<std::size_t> has_value_of;
  std::vector<Mismatch> first;  ///< the first wrong elements, at most kShownMismatches
};

inline constexpr std::size_t kShownMismatches = 10;

/// A usual mistake, by what it makes of a buffer.
struct Mistake {
  /// Empty for a mistake that leaves the numbers of each row, along the last axis, in their right
  /// ratios to one another.
  std::span<const double> value;
  std::span<const double> scale;  ///< as in compare()
  std::string cause;              ///< in words, a sentence
};

/// Compares `should.size()` elements at `is` with the oracle. `scale` is empty or as long, and so
/// is `also`: another value of each element that is as right.
Comparison compare(Element element, std::span<const std::byte> is, std::span<const double> should,
                   std::span<const double> scale, const Tolerance& tolerance,
                   std::span<const double> also = {});

/// The cause of the first of `mistakes` that explains all of a wrong buffer; empty if none does.
std::string_view cause_of(Element element, std::span<const std::byte> is,
                          std::span<const double> should, std::span<const double> scale,
                          const Tolerance& tolerance, std::span<const Axis> axes,
                          std::span<const Mistake> mistakes);

/// The position of an element, for people: "row 3, column 7 (element 52)" in a grid, else "element
/// 52". The first axis is the one along which neighbours lie furthest apart.
std::string place_of(std::size_t index, std::span<const Axis> axes);

/// What is wrong with the buffer `name`, for people: the first wrong element in a sentence, and
/// below it a table of the first ones. Where all of them are off by one factor, or by as little as
/// numbers of fewer bits are from what was rounded to them, or else where the first has another
/// element's value, it says so. The cause, where one is known, ends it.
std::string describe(const Comparison& comparison, std::string_view name,
                     std::span<const Axis> axes = {}, std::string_view cause = {});

}  // namespace harness
